"""The difference of two texts, found without a Python step for each character."""

from __future__ import annotations

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
    head = _common_prefix(old, new, limit)
    tail = _common_suffix(old, new, limit - head)
    return Splice(head, len(old) - tail, new[head : len(new) - tail])


def _common_prefix(old: str, new: str, limit: int) -> int:
    low = 0
    while low < limit and old[low : low + _BLOCK] == new[low : low + _BLOCK]:
        low += _BLOCK
    if low >= limit:
        return limit
    high = min(low + _BLOCK, limit)
    while low < high:
        middle = (low + high + 1) // 2
        if old[low:middle] == new[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _common_suffix(old: str, new: str, limit: int) -> int:
    size, fresh = len(old), len(new)

    def same(low: int, high: int) -> bool:
        return old[size - high : size - low] == new[fresh - high : fresh - low]

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
