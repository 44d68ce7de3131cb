"""The nearest registered name to a misspelt one."""

from __future__ import annotations

from functools import lru_cache


# A page of HTML repeats the same few names thousands of times.
@lru_cache(maxsize=1024)
def nearest(name: str, names: tuple[str, ...]) -> str:
    """The closest of `names` that is not `name` itself; empty where none is close.

    Shape: another case is closest; then one change for names of at least 4 characters, two for at least 6. Shorter ones
           are HTML's: `<b>` is not a misspelt `<t1>`. Two neighbours that changed places are one change. A plural is
           another word: `<tools>` is not a misspelt `<tool>`.
    """
    best, least = "", 3
    folded = name.lower()
    for other in names:
        if other == name or f"{other.lower()}s" == folded or other.lower() == f"{folded}s":
            continue
        allowed = 2 if len(other) >= 6 else 1 if len(other) >= 4 else 0
        distance = _distance(folded, other.lower(), min(allowed, least))
        if distance <= allowed and distance < least:
            best, least = other, distance
    return best


def _distance(one: str, other: str, limit: int) -> int:
    """How many characters to insert, remove, change or swap; anything over `limit` may be less than the truth."""
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
