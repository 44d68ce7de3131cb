"""The fates of the calls of a document: which run, in which wave, and why the others do not."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final, NamedTuple

from llmblocks.contract.other_files import other_files
from llmblocks.contract.received import RejectedCalls
from llmblocks.core.index import Index
from llmblocks.core.symbol import PlacedSymbol
from llmblocks.gadget.editor.calls import GADGET, INVOCATION, NUMBERED
from llmblocks.gadget.editor.dependencies import dependencies_of, given_until, is_earlier
from llmblocks.gadget.editor.rejections import REJECTING, rejections
from llmblocks.gadget.running.fates import Cause, Fate, fates

if TYPE_CHECKING:
    from llmblocks.gadget.editor.settings import GadgetSettings

MOST_CALLS = 200
"""The maximum number of direct and indirect dependencies that are read."""


class PlacedCall(NamedTuple):
    """A call of a document."""

    name: str
    invocation_id: str
    dependencies: tuple[str, ...]
    place: PlacedSymbol
    """The place of its id, or else of its name."""
    error: str = ""
    problem: int = 0
    """The place of its error."""


class KnownFate(NamedTuple):
    """The fate of a call."""

    call: PlacedCall
    fate: Fate
    failed: PlacedCall | None = None
    """The call that ultimately blocks a skipped one; None if unknown."""


def fate_of(index: Index, header: PlacedSymbol, settings: GadgetSettings) -> KnownFate | None:
    """Return the fate of the call with a header or an id; None if unknown."""
    here = call_at(index, header, settings)
    if here is None:
        return None
    if here.error or not here.dependencies:
        return KnownFate(here, fates([here], [here.error])[0])
    last = index.part_of(here.place)
    responses: dict[int, dict[str, list[PlacedCall]]] = {last: {}}
    known: set[str] = set()
    seen: set[tuple[int, str]] = set()
    left = [(last, one) for one in here.dependencies]
    count = 0
    while left:
        part, one = left.pop()
        if (part, one) in seen:
            continue
        seen.add((part, one))
        given = {
            each: same for each, same in given_until(index, one, part).items() if one not in responses.get(each, ())
        }
        for each, same in given.items():
            calls = [_call(index, found, one, settings) for found in same]
            responses.setdefault(each, {})[one] = calls
            left += [(each, other) for call in calls for other in call.dependencies]
            count += len(calls)
        if is_earlier(index, one):
            known.add(one)
        elif one not in responses[last] and not given and not other_files(index).is_known:
            return None
        if count > MOST_CALLS:
            return None
    responses[last].setdefault(here.invocation_id, [here])
    failed: dict[str, Cause] = {}
    causes: dict[str, PlacedCall] = {}
    for part in sorted(responses):
        calls = [call for same in responses[part].values() for call in same]
        found = fates(calls, [call.error for call in calls], known, failed)
        for call, fate in zip(calls, found, strict=True):
            if fate.kind in ("rejected", "never ran"):
                causes.setdefault(call.invocation_id, call)
        if part == last:
            fate = found[calls.index(here)]
            return KnownFate(here, fate, causes.get(fate.cause[0]))
        for call, fate in zip(calls, found, strict=True):
            if fate.wave:
                known.add(call.invocation_id)
            else:
                failed.setdefault(call.invocation_id, fate.lasting(call.invocation_id))
    raise AssertionError("the call is one of its response")


def calls_of(index: Index, settings: GadgetSettings) -> Iterator[tuple[int, int, PlacedCall]]:
    """Yield all calls of a document in order, each with the index of its response and its place in the document."""
    part = numbered = 0
    name = None
    for start, place in index.placed():
        symbol = place.symbol
        if symbol.role == "boundary":
            part, numbered = part + 1, 0
        elif symbol.kind == GADGET:
            name = symbol
        elif symbol.kind in (INVOCATION, NUMBERED) and symbol.role == "definition" and name is not None:
            numbered += symbol.kind == NUMBERED
            one = symbol.name if symbol.kind == INVOCATION else f"gadget_{numbered}"
            yield part, start + name.start, _call(index, place, one, settings)


def _rejected(index: Index, settings: GadgetSettings) -> Iterator[int]:
    return (start for _, start, call in calls_of(index, settings) if call.error)


REJECTED: Final[RejectedCalls[GadgetSettings]] = RejectedCalls(REJECTING, _rejected)


def call_at(index: Index, header: PlacedSymbol, settings: GadgetSettings) -> PlacedCall | None:
    """Return the call with a header or an id."""
    for symbol in index.symbols(header.section):
        if header.symbol.start <= symbol.start <= header.symbol.end and symbol.kind in (INVOCATION, NUMBERED):
            found = header._replace(symbol=symbol)
            return _call(index, found, symbol.name, settings) if symbol.role == "definition" else None
    return None


def _call(index: Index, found: PlacedSymbol, one: str, settings: GadgetSettings) -> PlacedCall:
    """Return a call by its id, including an id that the runtime generates."""
    symbols = index.symbols(found.section)
    name = symbols[symbols.index(found.symbol) - 1]
    error, problem = rejections(settings)(found.section) or ("", 0)
    return PlacedCall(name.name, one, _needs(index, found), found, error, problem)


def _needs(index: Index, found: PlacedSymbol) -> tuple[str, ...]:
    return tuple(dict.fromkeys([each.name for each in dependencies_of(index, found)]))
