"""A problem at one place of a text."""

from __future__ import annotations

from typing import NamedTuple

ERROR, WARNING, INFORMATION, HINT = 1, 2, 3, 4


class Found(NamedTuple):
    """`says` is a pattern that the whole message must match."""

    start: int
    end: int
    code: str
    says: str
    related: tuple[tuple[int, int], ...] = ()
    severity: int = ERROR
