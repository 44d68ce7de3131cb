"""G206 constraint-violated."""

from __future__ import annotations

from llmblocks.gadget.syntax.catalogue import CONSTRAINT_VIOLATED
from llmblocks.rules.gadget.examples import SEARCH
from llmblocks.rules.rule import Rule

RULE = Rule(
    kind=CONSTRAINT_VIOLATED,
    layer="gadget",
    gadgets=SEARCH,
    summary="A value violates a constraint in the schema of its gadget, such as a length or a pattern.",
    why="llmist does not run the gadget and answers with the reason, such as `Too small: …` or `Invalid string: …`.",
    bad="!!!GADGET_START:Search\n!!!ARG:query\nnotes\n!!!ARG:limit\n0\n!!!GADGET_END\n",
    good="!!!GADGET_START:Search\n!!!ARG:query\nnotes\n!!!ARG:limit\n1\n!!!GADGET_END\n",
)
