"""G112 dependency-cycle."""

from __future__ import annotations

from llmblocks.gadget.syntax.catalogue import DEPENDENCY_CYCLE
from llmblocks.rules.rule import Rule

RULE = Rule(
    kind=DEPENDENCY_CYCLE,
    layer="gadget",
    summary="Calls depend on one another in a circle.",
    why="Each waits for the others, so that llmist runs none of them, and none of those that depend on them. "
    "Every dependency on the cycle is reported: the removal of one may be enough.",
    bad="!!!GADGET_START:Read:r1:w1\n!!!ARG:path\na.txt\n!!!GADGET_END\n!!!GADGET_START:Write:w1:r1\n!!!ARG:path\na.txt\n!!!GADGET_END\n",
    good="!!!GADGET_START:Read:r1\n!!!ARG:path\na.txt\n!!!GADGET_END\n!!!GADGET_START:Write:w1:r1\n!!!ARG:path\na.txt\n!!!GADGET_END\n",
)
