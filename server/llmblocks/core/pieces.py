"""Texts that are collected piece by piece."""

from __future__ import annotations

_MANY = 512


def size_of(pieces: list[str]) -> int:
    """The length of a text in pieces. Shape: many become one, so that asking after each new piece stays cheap."""
    if len(pieces) > _MANY:
        pieces[:] = ["".join(pieces)]
    return sum(map(len, pieces))
