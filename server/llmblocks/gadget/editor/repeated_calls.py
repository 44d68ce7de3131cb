"""Two consecutive calls that are identical but for their ids."""

from __future__ import annotations

from typing import Final

from llmblocks.core.symbol_order import PlacedSymbol
from llmblocks.facts.name_checks import PlacedProblem, neighbour_check
from llmblocks.gadget.editor.calls import GADGET, read
from llmblocks.gadget.rules import REPEATED_CALL
from llmblocks.gadget.syntax.header import split_header


def _split(place: PlacedSymbol) -> tuple[str, str]:
    """The header from the gadget's name on, and the lines after it."""
    text, start = place.section.text, place.symbol.start
    end = text.find("\n", start)
    return text[start:end], text[end:].rstrip()


def _repeated(earlier: PlacedSymbol, later: PlacedSymbol) -> PlacedProblem | None:
    if later.symbol.name != earlier.symbol.name:
        return None
    (one, lines), (other, others) = _split(earlier), _split(later)
    if lines != others or {*split_header(one).dependencies} != {*split_header(other).dependencies}:
        return None
    # not remembered: every call of a document would be there twice
    call = read(later.section)
    if call is None or not call.closed or not call.arguments:
        return None
    # a call that the runtime rejects does not run even once
    return None if call.decoded()[0] is None else PlacedProblem(later)


CHECK: Final = neighbour_check(REPEATED_CALL, ("definition", GADGET), _repeated)
