"""G002 invalid-identifier."""

from __future__ import annotations

from llmblocks.gadget.syntax.catalogue import INVALID_IDENTIFIER
from llmblocks.rules.rule import Rule

RULE = Rule(
    kind=INVALID_IDENTIFIER,
    layer="gadget",
    summary="A gadget name, an invocation id or a dependency is not an identifier.",
    why="The format allows ASCII letters, digits and `_`, and does not allow a digit at the start. llmist checks "
    "nothing: it looks for exactly what is written, so a blank before a colon causes `Error: Gadget 'Greet ' not "
    "found.` An empty id is an id too: two calls with empty ids share it.",
    bad="!!!GADGET_START:Greet : g1\n!!!ARG:name\nAda\n!!!GADGET_END\n",
    good="!!!GADGET_START:Greet:g1\n!!!ARG:name\nAda\n!!!GADGET_END\n",
)
