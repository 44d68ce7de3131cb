"""The possible names in a call: gadgets of other calls, ids to wait for, pointers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, count, islice, takewhile
from typing import NamedTuple

from llmblocks.contract.caret import NEARBY, Caret
from llmblocks.core.symbol import Symbol
from llmblocks.gadget import kinds
from llmblocks.gadget.editor.calls import GADGET, INVOCATION, call_in
from llmblocks.gadget.syntax.header import split_header

_MOST = 50
_NEAR = 8
"""The number of sections before and after the caret whose calls are read."""
_INDEX = re.compile(r"/[0-9]+(?:/|$)")


class PossibleName(NamedTuple):
    """An id, with a sentence about it."""

    name: str
    detail: str


def gadget_names(caret: Caret, typed: str) -> list[str]:
    """Return the gadgets of nearby calls, without the name at the caret."""
    names: dict[str, int] = {}
    for symbol in chain(caret.names_back(), caret.names_ahead()):
        # a header with prose or a tag does not name a gadget
        if symbol.kind == GADGET and symbol.name and " " not in symbol.name:
            names[symbol.name] = names.get(symbol.name, 0) + 1
            if len(names) > _MOST:
                break
    written = (typed + caret.after.partition(":")[0]).strip()
    if names.get(written) == 1:
        del names[written]
    return [*names][:_MOST]


def dependencies(caret: Caret, own: str) -> Iterator[PossibleName]:
    """Yield the ids of nearby calls, nearest first, except those that wait for this call."""
    # calls of a later response run later
    behind = takewhile(lambda symbol: symbol.role != "boundary", caret.names_ahead())
    above, below = _calls(reversed([*caret.names_back()]))[-_MOST:][::-1], _calls(behind)[:_MOST]
    waiting = _waiting_for(own, [*above, *below])
    seen: set[str] = {own, *waiting}
    for calls, detail in ((above, "The id of a call above"), (below, "The id of a call below")):
        for name, gadget, _ in calls:
            if name and name not in seen:
                seen.add(name)
                yield PossibleName(name, f"{detail}, of `{gadget}`" if gadget else detail)


def fresh_id(caret: Caret, gadget: str) -> str:
    """Return an unused id: the first letter of a gadget, and a number."""
    sides = (caret.tokens_back(), caret.tokens_ahead())
    headers = (islice((text for kind, text in side if kind is kinds.HEADER), _MOST) for side in sides)
    used = {split_header(text).invocation_id for text in chain.from_iterable(headers)}
    letter = next((each.lower() for each in gadget if each.isalpha()), "c")
    return next(name for number in count(1) if (name := f"{letter}{number}") not in used)


def pointers_nearby(caret: Caret, gadget: str) -> list[str]:
    """Return the pointers of the nearest other calls of a gadget, nearest first, without those in arrays."""
    found: dict[str, None] = {}
    for section in chain(islice(caret.earlier(), 1, _NEAR + 1), islice(caret.later(), _NEAR)):
        call = call_in(section) if section.length <= NEARBY else None
        if call is not None and call.parts.name == gadget:
            found |= dict.fromkeys([each.pointer for each in call.arguments if each.pointer])
    return [each for each in found if not _INDEX.search(each)][:_MOST]


def next_pointers(given: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield the pointers that continue the arrays of a call, each with an explanation, the last array first.

    An array of values continues at its next index. In an array of objects, the last object first gets the keys of the
    one before it.
    """
    arrays: dict[str, dict[int, dict[str, None]]] = {}
    for pointer in given:
        segments = pointer.split("/")
        for place, segment in enumerate(segments):
            if place and segment.isdecimal() and segment.isascii() and len(segment) < 10:
                items = arrays.setdefault("/".join(segments[:place]), {})
                items.setdefault(int(segment), {})["/".join(segments[place + 1 :])] = None
    for array in reversed(arrays):
        items = arrays[array]
        last = max(items)
        before = items.get(last - 1, {})
        for key in before:
            if key and key not in items[last]:
                yield f"{array}/{last}/{key}", f"`{key}` of the last object in `{array}`"
        first = next(iter(items[last]))
        pointer = f"{array}/{last + 1}"
        yield f"{pointer}/{first}" if first else pointer, f"The next element of `{array}`"


class _NamedCall(NamedTuple):
    name: str
    gadget: str
    needs: list[str]


def _calls(symbols: Iterable[Symbol]) -> list[_NamedCall]:
    """Return the calls with ids, given names in order."""
    found: list[_NamedCall] = []
    gadget = ""
    for symbol in symbols:
        if symbol.kind == GADGET:
            gadget = symbol.name
        elif symbol.kind == INVOCATION and symbol.role == "definition":
            found.append(_NamedCall(symbol.name, gadget, []))
        elif symbol.kind == INVOCATION and found:
            found[-1].needs.append(symbol.name)
    return found


def _waiting_for(own: str, calls: Iterable[_NamedCall]) -> set[str]:
    """Return the ids of the calls that directly or indirectly wait for one."""
    waiting: set[str] = set()
    users: dict[str, list[str]] = {}
    for call in calls:
        for other in call.needs:
            users.setdefault(other, []).append(call.name)
    left = [own]
    while left:
        for user in users.get(left.pop(), ()):
            if user not in waiting:
                waiting.add(user)
                left.append(user)
    return waiting
