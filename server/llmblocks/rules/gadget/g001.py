"""G001 missing-gadget-name."""

from __future__ import annotations

from llmblocks.gadget.syntax.catalogue import MISSING_GADGET_NAME
from llmblocks.rules.rule import Rule

RULE = Rule(
    kind=MISSING_GADGET_NAME,
    layer="gadget",
    summary="The header of a call has no gadget name.",
    why="llmist finds no gadget with an empty name, so the call fails with `Error: Gadget '' not found.` The text "
    "after the second colon is an id, not the name.",
    bad="!!!GADGET_START::g1\n!!!ARG:name\nAda\n!!!GADGET_END\n",
    good="!!!GADGET_START:Greet:g1\n!!!ARG:name\nAda\n!!!GADGET_END\n",
)
