"""Intervals of rates."""

from __future__ import annotations

from math import sqrt

_Z = 1.959963984540054
"""Of 95 of 100 intervals, the rate is inside."""


def wilson(count: int, total: int) -> tuple[float, float]:
    """The interval of 95 % around the rate of `count` in `total`. Source: Wilson (1927).

    Shape: from 0 to 1; all of it where the total is 0.
    """
    if not total:
        return 0.0, 1.0
    rate, square = count / total, _Z * _Z
    middle = (rate + square / (2 * total)) / (1 + square / total)
    half = _Z * sqrt(rate * (1 - rate) / total + square / (4 * total * total)) / (1 + square / total)
    return max(0.0, middle - half), min(1.0, middle + half)
