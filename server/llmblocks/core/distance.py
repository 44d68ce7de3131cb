"""The edit distance of two words."""

from __future__ import annotations


def distance(one: str, other: str, limit: int) -> int:
    """Return the number of characters to insert, remove, change or swap.

    Returns:
        The exact number up to `limit`; a larger one may be too low.
    """
    if one == other:
        return 0
    if abs(len(one) - len(other)) > limit:
        return limit + 1
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, a in enumerate(one, 1):
        before, last, row = row, before, [i]
        for j, b in enumerate(other, 1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (a != b))
            if i > 1 and j > 1 and a == other[j - 2] and one[i - 2] == b:
                cost = min(cost, last[j - 2] + 1)
            row.append(cost)
        if min(row) > limit:
            return limit + 1
    return row[-1]
