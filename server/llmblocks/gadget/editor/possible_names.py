"""The possible names in a call: gadgets of other calls, ids to wait for, pointers."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Sequence
from itertools import count, islice, takewhile
from typing import NamedTuple

from llmblocks.contract.caret import NEARBY, Caret
from llmblocks.core.section import Section
from llmblocks.gadget.call import Call
from llmblocks.gadget.editor.calls import call_in

_MOST = 100
"""The number of sections before and after the caret whose calls are read, if they are not too long."""
_NEAR = 8
"""The number of calls before and after the caret whose pointers are read."""
_INDEX = re.compile(r"/([0-9]{1,9})(?=/|$)")


class NearbyCalls(NamedTuple):
    """The calls near a caret, nearest first."""

    above: list[Call]
    below: list[Call]
    """Only calls of the same response: those of a later one run later."""

    @property
    def ids(self) -> set[str | None]:
        return {each.parts.invocation_id for each in (*self.above, *self.below)}

    @property
    def gadgets(self) -> list[str]:
        # a header with prose or a tag does not name a gadget
        names = [each.parts.name for each in (*self.above, *self.below)]
        return [*dict.fromkeys([name for name in names if name and " " not in name])]

    def dependencies(self, own: str) -> Iterator[tuple[str, str]]:
        """Yield their ids, each with a sentence, except those of the calls that wait for this call."""
        seen = {own, *_waiting_for(own, [*self.above, *self.below])}
        for calls, detail in ((self.above, "The id of a call above"), (self.below, "The id of a call below")):
            for gadget, name, _ in [each.parts for each in calls]:
                if name and name not in seen:
                    seen.add(name)
                    yield name, f"{detail}, of `{gadget}`" if gadget else detail

    def pointers(self, gadget: str) -> list[str]:
        """Return the pointers of the nearest calls of a gadget, without those in arrays."""
        calls = [each for each in (*self.above[:_NEAR], *self.below[:_NEAR]) if each.parts.name == gadget]
        found = dict.fromkeys([each.pointer for call in calls for each in call.arguments if each.pointer])
        return [each for each in found if not _INDEX.search(each)]


def calls_near(caret: Caret) -> NearbyCalls:
    """Return the calls that end before a caret, and those that begin after it."""
    own = call_in(caret.section)
    above = _calls(islice(caret.earlier(), 1, None))
    if own is not None and own.end < caret.offset:
        above.insert(0, own)
    behind = takewhile(lambda each: all(symbol.role != "boundary" for symbol in caret.symbols(each)), caret.later())
    return NearbyCalls(above, _calls(behind))


def _calls(sections: Iterable[Section]) -> list[Call]:
    near = [each for each in islice(sections, _MOST) if each.length <= NEARBY]
    return [call for each in near if (call := call_in(each)) is not None]


def fresh_id(used: Container[str | None], gadget: str) -> str:
    """Return an unused id: the first letter of a gadget, and a number."""
    letter = next((each.lower() for each in gadget if each.isalpha()), "c")
    return next(name for number in count(1) if (name := f"{letter}{number}") not in used)


def next_pointers(given: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield the pointers that continue the arrays of a call, each with an explanation, the last array first.

    An array of values continues at its next index. In an array of objects, the last object first gets the keys of the
    one before it.
    """
    arrays: dict[str, dict[int, list[str]]] = {}
    for pointer in given:
        for found in _INDEX.finditer(pointer):
            items = arrays.setdefault(pointer[: found.start()], {})
            items.setdefault(int(found[1]), []).append(pointer[found.end() + 1 :])
    for array in reversed(arrays):
        items = arrays[array]
        last = max(items)
        for key in dict.fromkeys(items.get(last - 1, ())):
            if key and key not in items[last]:
                yield f"{array}/{last}/{key}", f"`{key}` of the last object in `{array}`"
        first = items[last][0]
        yield f"{array}/{last + 1}{'/' if first else ''}{first}", f"The next element of `{array}`"


def _waiting_for(own: str, calls: Iterable[Call]) -> set[str]:
    """Return the ids of the calls that directly or indirectly wait for one."""
    users: dict[str, list[str]] = {}
    for call in calls:
        for other in call.parts.dependencies:
            users.setdefault(other, []).append(call.parts.invocation_id or "")
    waiting: set[str] = set()
    left = [own]
    while left:
        for user in users.get(left.pop(), ()):
            if user not in waiting:
                waiting.add(user)
                left.append(user)
    return waiting
