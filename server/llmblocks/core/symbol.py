"""The names in a text, as formats state them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

    from llmblocks.core.section import Section

    SymbolsOf = Callable[[Section], tuple["Symbol", ...]]
    """The names in a section, in order, places counted from its start."""

Role = Literal["definition", "reference", "boundary"]
"""A boundary has neither kind nor name: after it, the formats inside its format start over."""


class Symbol(NamedTuple):
    """A name at its place."""

    role: Role
    kind: str
    """The kind of thing it names, in the words of its format. Names of different kinds are different."""
    name: str
    start: int
    """The start of the name alone, in code points from the start of its section."""
    end: int


class PlacedSymbol(NamedTuple):
    """A symbol in a document. Its places count from the start of the section."""

    section: Section
    symbol: Symbol
