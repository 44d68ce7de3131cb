"""G204 wrong-type."""

from __future__ import annotations

from llmblocks.gadget.syntax.catalogue import WRONG_TYPE
from llmblocks.rules.gadget.examples import SEARCH
from llmblocks.rules.rule import Rule

RULE = Rule(
    kind=WRONG_TYPE,
    layer="gadget",
    gadgets=SEARCH,
    summary="The type of a value is not the type in the schema of its gadget.",
    why="llmist converts a value to the type in the schema if it can: to a number, or to `true` or `false`. A "
    "value that cannot be converted stays text, and the gadget does not run.",
    bad="!!!GADGET_START:Search\n!!!ARG:query\nnotes\n!!!ARG:limit\na few\n!!!GADGET_END\n",
    good="!!!GADGET_START:Search\n!!!ARG:query\nnotes\n!!!ARG:limit\n3\n!!!GADGET_END\n",
)
