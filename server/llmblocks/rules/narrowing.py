"""The fixes that prevent a batch from being made, found in all parts of a text at once."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from llmblocks.core.edits import edited
from llmblocks.rules.fix import Fix

KeepsPart = Callable[[Sequence[int], int, str, str], bool]
"""Returns whether fixes keep the values of a part of a text, given their indices, its start, and the part before and
after.
"""


class Narrowed(NamedTuple):
    """A batch without the fixes that may prevent it, as indices in it. Trying the `refused` again is useless."""

    left: list[int]
    refused: list[int]


def narrowed(text: str, starts: Sequence[int], fixes: Sequence[Fix], news: Iterable[int], keeps: KeepsPart) -> Narrowed:
    """Return the rest of a batch of fixes that cannot be made together.

    Args:
        text: The text before the fixes.
        starts: The starts of the parts that can be judged separately.
        fixes: The batch.
        news: The places of unexpected findings after the fixes. The fixes of the nearest part up to there cause them.
        keeps: Called for parts without unexpected findings.
    """
    groups = [*_groups([*starts, len(text)], fixes)]
    parts = [(text[start:end], start, numbers) for start, end, numbers in groups]
    after = [
        edited(part, [edit.moved(-start) for number in numbers for edit in fixes[number].edits])
        for part, start, numbers in parts
    ]
    begins, grown = [], 0
    for (part, start, _), new in zip(parts, after, strict=True):
        begins.append(start + grown)
        grown += len(new) - len(part)
    causes = {max(bisect_right(begins, place) - 1, 0) for place in news}
    left: list[int] = []
    refused: list[int] = []
    for group, ((part, start, numbers), new) in enumerate(zip(parts, after, strict=True)):
        if group not in causes and keeps(numbers, start, part, new):
            left += numbers
        elif len(numbers) == 1:
            refused += numbers
        else:
            left += numbers[: len(numbers) // 2]
    if refused or 0 < len(left) < len(fixes):
        return Narrowed(left, refused)
    # nothing shows which one it is
    return Narrowed([*range(len(fixes) // 2)], [])


def _groups(starts: Sequence[int], fixes: Sequence[Fix]) -> Iterable[tuple[int, int, range]]:
    """Yield the parts with fixes, joined where a fix is in both, with the indices of their fixes."""
    first = begin = end = 0
    for number, fix in enumerate(fixes):
        start = starts[bisect_right(starts, fix.start) - 1]
        if start >= end:
            if number:
                yield begin, end, range(first, number)
            first, begin = number, start
        end = max(end, starts[min(bisect_right(starts, fix.end), len(starts) - 1)])
    yield begin, end, range(first, len(fixes))
