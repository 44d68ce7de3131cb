"""Code lenses of gadget calls."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from llmblocks.contract.lens import Lenses, Reply, Standing
from llmblocks.core.index import Index
from llmblocks.core.section import Section
from llmblocks.gadget.call import Call
from llmblocks.gadget.editor.calls import INVOCATION, call_in, place_of
from llmblocks.gadget.editor.fates import KnownFate, fate_of
from llmblocks.gadget.editor.results import outcome_of, reply_at

if TYPE_CHECKING:
    from llmblocks.gadget.editor.settings import GadgetSettings

_UNKNOWN = Standing("order not known")


def _places(section: Section) -> tuple[int, ...]:
    call = call_in(section)
    return () if call is None else (call.start,)


def _headed(section: Section, offset: int) -> Call | None:
    """Return the call whose header is at an offset."""
    call = call_in(section)
    return call if call is not None and call.header <= offset <= call.header_end else None


def _standing(section: Section, offset: int, settings: GadgetSettings, index: Callable[[], Index]) -> Standing | None:
    call = _headed(section, offset)
    if call is None:
        return None
    names = index()
    place = place_of(section, call)
    known = fate_of(names, place, settings)
    if known is None:
        return _UNKNOWN
    return Standing(outcome_of(names, place, known, settings), known.fate.message, _obstacle(known, names))


def _obstacle(known: KnownFate, index: Index) -> int | None:
    call, fate, failed = known
    if fate.wave:
        return None
    place = call.place
    if failed is not None:
        place = failed.place
        at = failed.problem if failed.error else place.symbol.start
    elif call.error:
        at = call.problem
    else:
        behind = [
            each
            for each in index.symbols(place.section)
            if each.start >= place.symbol.start and each.name in fate.dependencies
        ]
        at = next((each.start for each in behind if each.role == "reference"), place.symbol.start)
    return index.start_of(place.section) + at


def _reply(section: Section, offset: int, settings: GadgetSettings, index: Callable[[], Index]) -> Reply | None:
    call = _headed(section, offset)
    return None if call is None else reply_at(index(), place_of(section, call), settings)


def _has_order(index: Index) -> bool:
    return index.count("reference", INVOCATION) > 0


LENSES: Final[Lenses[GadgetSettings]] = Lenses(_places, _standing, _reply, _has_order)
