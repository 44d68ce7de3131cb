"""Two consecutive calls that are identical but for their ids."""

from __future__ import annotations

from typing import Final

from llmblocks.core.section import Section
from llmblocks.core.symbol_order import PlacedSymbol
from llmblocks.facts.name_checks import PlacedProblem, neighbour_check
from llmblocks.gadget.editor.calls import GADGET, names_of, read
from llmblocks.gadget.rules import REPEATED_CALL


def _written(section: Section) -> tuple[object, ...] | None:
    """The gadget, the dependencies and the arguments of a complete call, as they are written. It has some."""
    call = read(section)
    if call is None or not call.closed or not call.arguments:
        return None
    gadget, _, *dependencies = names_of(call)
    return gadget.name, {each.name for each in dependencies}, call.body.rstrip()


def _repeated(earlier: PlacedSymbol, later: PlacedSymbol) -> PlacedProblem | None:
    if later.symbol.name != earlier.symbol.name:
        return None
    # read again for each pair: remembered, every call of a document would be there twice
    call = _written(later.section)
    return PlacedProblem(later) if call is not None and call == _written(earlier.section) else None


CHECK: Final = neighbour_check(REPEATED_CALL, ("definition", GADGET), _repeated)
