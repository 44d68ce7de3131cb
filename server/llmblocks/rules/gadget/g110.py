"""G110 duplicate-invocation-id."""

from __future__ import annotations

from llmblocks.gadget.syntax.catalogue import DUPLICATE_INVOCATION_ID
from llmblocks.rules.rule import Rule

RULE = Rule(
    kind=DUPLICATE_INVOCATION_ID,
    layer="gadget",
    summary="Two calls of one response have the same invocation id.",
    why="llmist files results, and calls that wait, under their ids: the later one takes the place of the earlier"
    " one. A call without an id has one, too: llmist numbers such calls, `gadget_1`, `gadget_2`, and so on.",
    bad="!!!GADGET_START:Read:r1\n!!!ARG:path\na.txt\n!!!GADGET_END\n!!!GADGET_START:Write:r1\n!!!ARG:path\na.txt\n!!!GADGET_END\n",
    good="!!!GADGET_START:Read:r1\n!!!ARG:path\na.txt\n!!!GADGET_END\n!!!GADGET_START:Write:w1\n!!!ARG:path\na.txt\n!!!GADGET_END\n",
)
