"""Code lenses of gadget calls."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from llmblocks.contract.lens import Lenses, Reply, Standing
from llmblocks.core.index import Index
from llmblocks.core.section import Section
from llmblocks.gadget.editor.fates import KnownFate, fate_of
from llmblocks.gadget.editor.names import INVOCATION
from llmblocks.gadget.editor.near_call import NearCall, call_near
from llmblocks.gadget.editor.pointers import part_of_call
from llmblocks.gadget.editor.results import reply_at

if TYPE_CHECKING:
    from llmblocks.gadget.editor.settings import GadgetSettings

_UNKNOWN = Standing("order not known")


def _places(section: Section) -> tuple[int, ...]:
    part = part_of_call(section)
    return (part.start,) if part.begins else ()


def _headed(section: Section, offset: int) -> NearCall | None:
    """The call whose header is at an offset."""
    near = call_near(section, offset)
    return near if near and 0 <= offset - near.place.symbol.start <= len(near.header) else None


def _standing(section: Section, offset: int, settings: GadgetSettings, index: Callable[[], Index]) -> Standing | None:
    near = _headed(section, offset)
    if near is None:
        return None
    names = index()
    known = fate_of(names, near.place, settings)
    return _UNKNOWN if known is None else Standing(known.fate.says, known.fate.message, _obstacle(known, names))


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
    near = _headed(section, offset)
    return None if near is None else reply_at(index(), near.place, settings)


def _has_order(index: Index) -> bool:
    return index.count("reference", INVOCATION) > 0


LENSES: Final[Lenses[GadgetSettings]] = Lenses(_places, _standing, _reply, _has_order)
