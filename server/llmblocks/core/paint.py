"""The semantic colours of tokens."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from llmblocks.core.section import Section, Span

ROLES = ("keyword", "function", "variable", "property", "number", "string", "comment", "type", "operator")
"""The standard semantic token types in use, in the order of the legend."""


class Painted(NamedTuple):
    """A stretch of text with a role. Shape: code points from the start of the section; `role` is one of `ROLES`."""

    start: int
    end: int
    role: str


Paint = Callable[[Section, Span], Iterator[Painted]]
"""From a token at its place to its coloured parts."""


def as_whole(role: str) -> Paint:
    """Colour a whole token."""

    def paint(_: Section, span: Span) -> Iterator[Painted]:
        yield Painted(span.start, span.end, role)

    return paint
