"""G112 dependency-cycle."""

from __future__ import annotations

from llmblocks.gadget.syntax.catalogue import DEPENDENCY_CYCLE
from llmblocks.rules.rule import Rule

RULE = Rule(
    kind=DEPENDENCY_CYCLE,
    layer="gadget",
    summary="Calls depend on one another in a circle.",
    why="Each call waits for another, so llmist runs none of them, and none of the calls that depend on them. Every "
    "dependency on the cycle is reported; removing one may be enough.",
    bad="!!!GADGET_START:Read:r1:w1\n!!!ARG:path\na.txt\n!!!GADGET_END\n!!!GADGET_START:Write:w1:r1\n!!!ARG:path\na.txt\n!!!GADGET_END\n",
    good="!!!GADGET_START:Read:r1\n!!!ARG:path\na.txt\n!!!GADGET_END\n!!!GADGET_START:Write:w1:r1\n!!!ARG:path\na.txt\n!!!GADGET_END\n",
)
