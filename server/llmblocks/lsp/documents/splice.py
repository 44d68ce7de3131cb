"""The difference of two texts, found without a Python step for each character."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

_BLOCK = 1 << 16


class Splice(NamedTuple):
    """A replacement of the text from `start` to `end`, in code points, by `text`."""

    start: int
    end: int
    text: str


def difference(old: str, new: str) -> Splice | None:
    """The smallest single replacement from `old` to `new`; None if they are equal."""
    if old == new:
        return None
    limit = min(len(old), len(new))
    head = _most_that_are_same(limit, lambda low, high: old[low:high] == new[low:high])
    size, fresh = len(old), len(new)
    tail = _most_that_are_same(
        limit - head, lambda low, high: old[size - high : size - low] == new[fresh - high : fresh - low]
    )
    return Splice(head, size - tail, new[head : fresh - tail])


def _most_that_are_same(limit: int, same: Callable[[int, int], bool]) -> int:
    """How many characters, counted from one end of two texts, are the same."""
    low = 0
    while low < limit and same(low, min(low + _BLOCK, limit)):
        low += _BLOCK
    if low >= limit:
        return limit
    high = min(low + _BLOCK, limit)
    while low < high:
        middle = (low + high + 1) // 2
        if same(low, middle):
            low = middle
        else:
            high = middle - 1
    return low
