"""Consecutive calls that are identical except for their ids."""

from __future__ import annotations

from typing import Final

from llmblocks.core.symbol_order import PlacedSymbol
from llmblocks.facts.name_checks import PlacedProblem, neighbour_check
from llmblocks.gadget.editor.calls import GADGET, read
from llmblocks.gadget.rules import REPEATED_CALL
from llmblocks.gadget.syntax.header import split_header


def _header_and_line(place: PlacedSymbol) -> tuple[str, str]:
    """Return the header from the gadget's name on, and the line after it."""
    header, _, rest = place.section.text[place.symbol.start :].partition("\n")
    return header, rest.partition("\n")[0]


def _repeated(earlier: PlacedSymbol, later: PlacedSymbol) -> PlacedProblem | None:
    if later.symbol.name != earlier.symbol.name:
        return None
    (one, line), (other, other_line) = _header_and_line(earlier), _header_and_line(later)
    if line != other_line or {*split_header(one).dependencies} != {*split_header(other).dependencies}:
        return None
    # not cached: that would store every call of a document twice
    before, call = read(earlier.section), read(later.section)
    if call is None or not call.closed or not call.arguments:
        return None
    if before is None or not before.closed or before.body.rstrip() != call.body.rstrip():
        return None
    # a call that the runtime rejects does not run even once
    return None if call.decoded()[0] is None else PlacedProblem(later)


CHECK: Final = neighbour_check(REPEATED_CALL, ("definition", GADGET), _repeated)
