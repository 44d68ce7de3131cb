"""G102 array-index-gap."""

from __future__ import annotations

from llmblocks.gadget.syntax.catalogue import ARRAY_INDEX_GAP
from llmblocks.rules.rule import Rule

RULE = Rule(
    kind=ARRAY_INDEX_GAP,
    layer="gadget",
    summary="An array index is higher than the number of elements given before it.",
    why="llmist builds arrays in the order of the arguments. A gap makes the call fail with "
    "`Array index gap: expected N, got M` and the gadget never runs.",
    bad="!!!GADGET_START:Sum\n!!!ARG:items/0\n1\n!!!ARG:items/2\n3\n!!!GADGET_END\n",
    good="!!!GADGET_START:Sum\n!!!ARG:items/0\n1\n!!!ARG:items/1\n3\n!!!GADGET_END\n",
)
