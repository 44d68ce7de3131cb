"""Texts that are collected in fragments, as a stream reads them."""

from __future__ import annotations

_MANY = 512


def size_of(fragments: list[str]) -> int:
    """The length of a text in fragments. Shape: many become one, so that asking after each new one stays cheap."""
    if len(fragments) > _MANY:
        fragments[:] = ["".join(fragments)]
    return sum(map(len, fragments))
