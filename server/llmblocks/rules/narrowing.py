"""The fixes that prevent a batch from being made, found in all parts of a text at once."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate
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


class _Group(NamedTuple):
    """The fixes of one part of a text, as indices in the batch."""

    start: int
    """The start in the text before the fixes."""
    end: int
    fixes: range


def narrowed(text: str, starts: Sequence[int], fixes: Sequence[Fix], news: Iterable[int], keeps: KeepsPart) -> Narrowed:
    """Return the rest of a batch of fixes that cannot be made together.

    Args:
        text: The text before the fixes.
        starts: The starts of the parts that can be judged separately.
        fixes: The batch.
        news: The places of unexpected findings after the fixes.
        keeps: Called for parts without unexpected findings.
    """
    groups = _groups(starts, len(text), fixes)
    exact, near = _suspects(groups, fixes, news)
    left: list[int] = []
    refused: list[int] = []
    for group in groups:
        suspects = exact.intersection(group.fixes)
        if not suspects and not _keeps(text, group, fixes, keeps):
            suspects = {*group.fixes}
        if suspects and len(group.fixes) == 1:
            refused += group.fixes
            continue
        rest = [number for number in group.fixes if number not in suspects and number not in near]
        left += rest if rest or not suspects else group.fixes[: len(group.fixes) // 2]
    if refused or 0 < len(left) < len(fixes):
        return Narrowed(left, refused)
    # nothing shows which one it is
    return Narrowed([*range(len(fixes) // 2)], [])


def _groups(starts: Sequence[int], size: int, fixes: Sequence[Fix]) -> list[_Group]:
    groups: list[_Group] = []
    for number, fix in enumerate(fixes):
        start = starts[bisect_right(starts, fix.start) - 1]
        behind = bisect_right(starts, fix.end)
        end = starts[behind] if behind < len(starts) else size
        if groups and start < groups[-1].end:
            before = groups.pop()
            groups.append(_Group(before.start, max(before.end, end), range(before.fixes.start, number + 1)))
        else:
            groups.append(_Group(start, end, range(number, number + 1)))
    return groups


def _suspects(groups: Sequence[_Group], fixes: Sequence[Fix], news: Iterable[int]) -> tuple[set[int], set[int]]:
    """Return the fixes nearest to new findings: in the same part, and those before findings in parts without fixes."""
    edits = sorted([(edit, number) for number, fix in enumerate(fixes) for edit in fix.edits])
    grown = [0, *accumulate([len(edit.text) - (edit.end - edit.start) for edit, _ in edits])]
    written = [edit.start + moved for (edit, _), moved in zip(edits, grown, strict=False)]
    firsts = [group.start for group in groups]
    exact: set[int] = set()
    near: set[int] = set()
    for place in news:
        last = bisect_right(written, place) - 1
        before = max(place - grown[last + 1], edits[last][0].start) if last >= 0 else place
        group = groups[max(bisect_right(firsts, before) - 1, 0)]
        candidates = [number for _, number in edits[max(last, 0) : last + 2] if number in group.fixes]
        if candidates and before < group.end:
            exact.add(candidates[0])
        else:
            near.add(edits[max(last, 0)][1])
    return exact, near


def _keeps(text: str, group: _Group, fixes: Sequence[Fix], keeps: KeepsPart) -> bool:
    start, end, numbers = group
    part = text[start:end]
    edits = [edit.moved(-start) for number in numbers for edit in fixes[number].edits]
    return keeps(numbers, start, part, edited(part, edits))
