"""Consecutive calls that are identical except for their ids."""

from __future__ import annotations

from typing import Final

from llmblocks.core.symbol import PlacedSymbol
from llmblocks.facts.name_checks import PlacedProblem, neighbour_check
from llmblocks.gadget.editor.calls import GADGET, read
from llmblocks.gadget.rules import REPEATED_CALL


def _first_line(place: PlacedSymbol) -> str:
    """Return the line after the header."""
    text = place.section.text
    start = text.find("\n", place.symbol.start) + 1
    return text[start : text.find("\n", start) + 1]


def _repeated(earlier: PlacedSymbol, later: PlacedSymbol) -> PlacedProblem | None:
    if later.symbol.name != earlier.symbol.name or _first_line(later) != _first_line(earlier):
        return None
    # not cached: that would store every call of a document twice
    before, call = read(earlier.section), read(later.section)
    if before is None or call is None or not (before.closed and call.closed and call.arguments):
        return None
    if before.body.rstrip() != call.body.rstrip() or {*before.parts.dependencies} != {*call.parts.dependencies}:
        return None
    # a call that the runtime rejects does not run even once
    return None if call.decoded()[0] is None else PlacedProblem(later)


CHECK: Final = neighbour_check(REPEATED_CALL, ("definition", GADGET), _repeated)
