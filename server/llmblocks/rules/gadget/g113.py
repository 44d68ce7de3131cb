"""G113 self-dependency."""

from __future__ import annotations

from llmblocks.gadget.syntax.catalogue import SELF_DEPENDENCY
from llmblocks.rules.rule import Rule

RULE = Rule(
    kind=SELF_DEPENDENCY,
    layer="gadget",
    summary="A call depends on itself.",
    why="llmist never runs a call whose only dependency is itself. Where there are others, it drops this one.",
    bad="!!!GADGET_START:Read:r1:r1\n!!!ARG:path\na.txt\n!!!GADGET_END\n",
    good="!!!GADGET_START:Read:r1\n!!!ARG:path\na.txt\n!!!GADGET_END\n",
)
