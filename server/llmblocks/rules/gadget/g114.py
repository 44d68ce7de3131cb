"""G114 repeated-dependency."""

from __future__ import annotations

from llmblocks.gadget.syntax.catalogue import REPEATED_DEPENDENCY
from llmblocks.rules.rule import Rule

RULE = Rule(
    kind=REPEATED_DEPENDENCY,
    layer="gadget",
    summary="A call names a dependency twice.",
    why="llmist takes it once. The repeat is often a mistake for another id.",
    bad="!!!GADGET_START:Read:r1\n!!!ARG:path\na.txt\n!!!GADGET_END\n!!!GADGET_START:Write:w1:r1,r1\n!!!ARG:path\na.txt\n!!!GADGET_END\n",
    good="!!!GADGET_START:Read:r1\n!!!ARG:path\na.txt\n!!!GADGET_END\n!!!GADGET_START:Write:w1:r1\n!!!ARG:path\na.txt\n!!!GADGET_END\n",
)
