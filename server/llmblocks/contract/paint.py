"""The semantic colours of tokens."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

from llmblocks.core.scan import Kind
from llmblocks.core.section import Section, Span

PLAIN: Final = "text"
"""The role of text that an editor's own grammar may colour wrongly. It is not a standard type."""
ROLES: Final = (
    *("keyword", "function", "variable", "property", "number", "string", "comment", "type", "operator"),
    PLAIN,
)
"""The semantic token types in use, in the order of the legend."""
MODIFIERS: Final = ("declaration", "readonly", "documentation")
"""The standard modifiers in use, in the order of the legend."""


class Painted(NamedTuple):
    """A stretch of text with a role, in code points from the start of the section."""

    start: int
    end: int
    role: str
    """One of `ROLES`."""
    modifiers: tuple[str, ...] = ()
    """Some of `MODIFIERS`."""


Paint = Callable[[Section, Span], Iterator[Painted]]
"""Returns the coloured parts of a token at its place."""


def as_whole(role: str) -> Paint:
    """Colour a whole token."""

    def paint(_: Section, span: Span) -> Iterator[Painted]:
        yield Painted(span.start, span.end, role)

    return paint


@dataclass(frozen=True, slots=True, eq=False)
class Paints:
    """The colours of a language, by kind of token. Compared by identity."""

    by_kind: Mapping[Kind, Paint]
