"""G207 coerced-against-schema."""

from __future__ import annotations

from llmblocks.gadget.syntax.catalogue import COERCED_AGAINST_SCHEMA
from llmblocks.rules.gadget.examples import SEARCH
from llmblocks.rules.rule import Rule

RULE = Rule(
    kind=COERCED_AGAINST_SCHEMA,
    layer="gadget",
    gadgets=SEARCH,
    summary="The schema of a gadget changes the type of a value.",
    why="Without a schema, llmist reads `42` as a number and `1e5` as text. With a schema, it uses the type in the "
    "schema. The gadget then gets a different value than a reader of the call, or a program without the schema, "
    "expects.",
    bad="!!!GADGET_START:Search\n!!!ARG:query\n42\n!!!GADGET_END\n",
    good="!!!GADGET_START:Search\n!!!ARG:query\n42 notes\n!!!GADGET_END\n",
)
