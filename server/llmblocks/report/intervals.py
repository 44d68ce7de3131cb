"""Confidence intervals of rates."""

from __future__ import annotations

from math import sqrt

_Z = 1.959963984540054
"""For intervals of 95 %."""


def wilson(count: int, total: int) -> tuple[float, float]:
    """Return the interval of 95 % around the rate `count` / `total`, from 0 to 1; all of it if `total` is 0.

    Source: Wilson (1927).
    """
    if not total:
        return 0.0, 1.0
    rate, square = count / total, _Z * _Z
    middle = (rate + square / (2 * total)) / (1 + square / total)
    half = _Z * sqrt(rate * (1 - rate) / total + square / (4 * total * total)) / (1 + square / total)
    return max(0.0, middle - half), min(1.0, middle + half)


def difference(count: int, total: int, count_before: int, total_before: int) -> tuple[float, float]:
    """Return the interval of 95 % around the first rate minus the second, from -1 to 1.

    Source: Newcombe (1998).
    """
    if not (total and total_before):
        return -1.0, 1.0
    now, before = count / total, count_before / total_before
    (low, high), (low_before, high_before) = wilson(count, total), wilson(count_before, total_before)
    below = sqrt((now - low) ** 2 + (high_before - before) ** 2)
    above = sqrt((high - now) ** 2 + (before - low_before) ** 2)
    return now - before - below, now - before + above
