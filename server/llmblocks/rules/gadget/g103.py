"""G103 invalid-array-index."""

from __future__ import annotations

from llmblocks.gadget.syntax.catalogue import INVALID_ARRAY_INDEX
from llmblocks.rules.rule import Rule

RULE = Rule(
    kind=INVALID_ARRAY_INDEX,
    layer="gadget",
    summary="A pointer segment inside an array is not an index.",
    why="The first argument below a pointer decides: a whole number makes an array, anything else an object. If a "
    "later segment does not fit, the call fails with `Invalid array index: …` and the gadget does not run.",
    bad="!!!GADGET_START:Sum\n!!!ARG:items/0\n1\n!!!ARG:items/last\n3\n!!!GADGET_END\n",
    good="!!!GADGET_START:Sum\n!!!ARG:items/0\n1\n!!!ARG:items/1\n3\n!!!GADGET_END\n",
)
