"""The comparison of items by their meaning: added, removed, moved, changed."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from typing import Any, Literal, NamedTuple

from llmblocks.cli.differences.items import Item

Kind = Literal["added", "removed", "moved", "changed"]


class Field(NamedTuple):
    """A different value, by its pointer. A side without it has `ABSENT`."""

    pointer: str
    before: Any
    after: Any


class Difference(NamedTuple):
    """A difference."""

    kinds: tuple[Kind, ...]
    """The differences of `item`."""
    item: Item
    """The one of the second side unless it was removed."""
    fields: tuple[Field, ...] = ()
    """Its different values."""
    parts: tuple[Difference, ...] = ()
    """The changes in it."""


class _Absent:
    def __repr__(self) -> str:
        return "absent"


ABSENT = _Absent()


class Pair(NamedTuple):
    """An item on both sides. None on a side without it."""

    before: Item | None
    after: Item | None
    change: Difference | None
    """None if both are the same."""


def compare(before: Sequence[Item], after: Sequence[Item]) -> tuple[Difference, ...]:
    """Return the differences in the order of the second side. Removed items keep their old place."""
    return (*[each.change for each in beside(before, after) if each.change is not None],)


def beside(before: Sequence[Item], after: Sequence[Item]) -> list[Pair]:
    """Return all items of both sides, in the same order."""
    pairs = _pairs(before, after)
    staying = _longest_ascending([pairs[number] for number in sorted(pairs)])
    found: list[tuple[tuple[int, int, int], Pair]] = []
    last = -1
    for number, item in enumerate(before):
        if number in pairs:
            last = pairs[number]
        else:
            found.append(((last, 1, number), Pair(item, None, Difference(("removed",), item))))
    sources = {other: number for number, other in pairs.items()}
    for other, item in enumerate(after):
        if other not in sources:
            found.append(((other, 0, 0), Pair(None, item, Difference(("added",), item))))
            continue
        source = before[sources[other]]
        fields, parts = _fields(source, item), compare(source.parts, item.parts)
        kinds: list[Kind] = ["moved"] if other not in staying else []
        if fields or parts or source.name != item.name:
            kinds.append("changed")
        if source.name != item.name:
            fields = (Field("(name)", source.name, item.name), *fields)
        change = Difference((*kinds,), item, fields, parts) if kinds else None
        found.append(((other, 0, 0), Pair(source, item, change)))
    return [pair for _, pair in sorted(found, key=lambda each: each[0])]


def _fields(before: Item, after: Item) -> tuple[Field, ...]:
    pointers = dict.fromkeys((*before.fields, *after.fields))
    rows = [Field(each, before.fields.get(each, ABSENT), after.fields.get(each, ABSENT)) for each in pointers]
    # Python considers 1 and true equal
    return (
        *[
            row
            for row in rows
            if row.before != row.after or isinstance(row.before, bool) != isinstance(row.after, bool)
        ],
    )


def _pairs(before: Sequence[Item], after: Sequence[Item]) -> dict[int, int]:
    """Match the items of both sides: the same ones, or of the same name, or of the same kind."""
    pairs: dict[int, int] = {}
    taken: set[int] = set()
    same: tuple[Callable[[Item], object], ...] = (
        lambda item: item.key,
        lambda item: (item.what, item.name),
        # the id of a call may differ
        lambda item: (item.what, item.name.split(" ")[0]),
    )
    for of in same:
        waiting: dict[object, list[int]] = {}
        for number, item in reversed([*enumerate(after)]):
            if number not in taken:
                waiting.setdefault(of(item), []).append(number)
        for number, item in enumerate(before):
            if number not in pairs and (left := waiting.get(of(item))):
                pairs[number] = left.pop()
                taken.add(pairs[number])
    return pairs


def _longest_ascending(numbers: Sequence[int]) -> set[int]:
    """Return the longest ascending subsequence: the others have moved."""
    ends: list[int] = []
    at: list[int] = []
    previous: list[int] = []
    for number, value in enumerate(numbers):
        place = bisect_left(ends, value)
        previous.append(at[place - 1] if place else -1)
        ends[place : place + 1] = [value]
        at[place : place + 1] = [number]
    found = set()
    number = at[-1] if at else -1
    while number >= 0:
        found.add(numbers[number])
        number = previous[number]
    return found
