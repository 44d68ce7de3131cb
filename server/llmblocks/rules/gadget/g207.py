"""G207 coerced-against-schema."""

from __future__ import annotations

from llmblocks.gadget.syntax.catalogue import COERCED_AGAINST_SCHEMA
from llmblocks.rules.gadget.examples import SEARCH
from llmblocks.rules.rule import Rule

RULE = Rule(
    kind=COERCED_AGAINST_SCHEMA,
    layer="gadget",
    gadgets=SEARCH,
    summary="A value has another type because of the schema of its gadget.",
    why="Without a schema, llmist makes a number of `42` and a text of `1e5`. With one, it follows the schema. So"
    " the gadget gets another value than a reader of the call, or a program that has no schema, sees.",
    bad="!!!GADGET_START:Search\n!!!ARG:query\n42\n!!!GADGET_END\n",
    good="!!!GADGET_START:Search\n!!!ARG:query\n42 notes\n!!!GADGET_END\n",
)
