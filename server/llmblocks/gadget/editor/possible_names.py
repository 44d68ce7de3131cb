"""The possible names in a call: gadgets of other calls, ids to wait for, pointers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, count, islice, takewhile

from llmblocks.contract.caret import NEARBY, Caret
from llmblocks.core.section import Section
from llmblocks.gadget.call import Call
from llmblocks.gadget.editor.calls import call_in

_MOST = 50
_NEAR = 8
"""The number of calls before and after the caret whose pointers are read."""
_INDEX = re.compile(r"/[0-9]+(?:/|$)")


def _above(caret: Caret) -> Iterator[Call]:
    """Yield the calls that end before the caret, nearest first."""
    own = call_in(caret.section)
    if own is not None and own.end < caret.offset:
        yield own
    yield from _calls(islice(caret.earlier(), 1, None))


def _below(caret: Caret) -> Iterator[Call]:
    """Yield the calls after that of the caret. Those of a later response run later."""
    return _calls(takewhile(lambda each: all(it.role != "boundary" for it in caret.symbols(each)), caret.later()))


def _calls(sections: Iterable[Section]) -> Iterator[Call]:
    """Yield the calls of sections that are at most `NEARBY` away, at most `_MOST`."""
    count = passed = 0
    for section in sections:
        passed += section.length
        if passed > NEARBY or count == _MOST:
            return
        if (call := call_in(section)) is not None:
            count += 1
            yield call


def gadget_names(caret: Caret) -> list[str]:
    """Return the gadgets of nearby calls."""
    # a header with prose or a tag does not name a gadget
    names = [each.parts.name for each in chain(_above(caret), _below(caret))]
    return [*dict.fromkeys([name for name in names if name and " " not in name])][:_MOST]


def dependencies(caret: Caret, own: str) -> Iterator[tuple[str, str]]:
    """Yield the ids of nearby calls, each with a sentence, nearest first, except those that wait for this call."""
    above, below = [*_above(caret)], [*_below(caret)]
    seen = {own, *_waiting_for(own, [*above, *below])}
    for calls, detail in ((above, "The id of a call above"), (below, "The id of a call below")):
        for gadget, name, _ in [each.parts for each in calls]:
            if name and name not in seen:
                seen.add(name)
                yield name, f"{detail}, of `{gadget}`" if gadget else detail


def fresh_id(caret: Caret, gadget: str) -> str:
    """Return an unused id: the first letter of a gadget, and a number."""
    used = {each.parts.invocation_id for each in chain(_above(caret), _below(caret))}
    letter = next((each.lower() for each in gadget if each.isalpha()), "c")
    return next(name for number in count(1) if (name := f"{letter}{number}") not in used)


def pointers_nearby(caret: Caret, gadget: str) -> list[str]:
    """Return the pointers of the nearest other calls of a gadget, nearest first, without those in arrays."""
    calls = chain(islice(_above(caret), _NEAR), islice(_below(caret), _NEAR))
    found = dict.fromkeys([each.pointer for call in calls if call.parts.name == gadget for each in call.arguments])
    return [each for each in found if each and not _INDEX.search(each)][:_MOST]


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


def _waiting_for(own: str, calls: Iterable[Call]) -> set[str]:
    """Return the ids of the calls that directly or indirectly wait for one."""
    users: dict[str, list[str]] = {}
    for name, other in [
        (each.invocation_id, other) for each in (call.parts for call in calls) for other in each.dependencies
    ]:
        users.setdefault(other, []).append(name or "")
    waiting: set[str] = set()
    left = [own]
    while left:
        for user in users.get(left.pop(), ()):
            if user not in waiting:
                waiting.add(user)
                left.append(user)
    return waiting
