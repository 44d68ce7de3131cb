"""Code lenses: clickable labels above a line of the text."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, Literal, NamedTuple, TypeVar

from llmblocks.core.index import Index
from llmblocks.core.places import Elsewhere
from llmblocks.core.section import Section

LensKind = Literal["order", "result", "parameters"]
S = TypeVar("S", contravariant=True)


class Reply(NamedTuple):
    """The result of a call, or the fact that it has none."""

    says: str
    place: Elsewhere | None = None
    """The place of the result."""
    excerpt: str = ""
    """The beginning of the result."""


class Standing(NamedTuple):
    """The place of a call or another construct in the order of a run."""

    says: str
    """A few words."""
    message: str = ""
    """The runtime's message if it does not run."""
    obstacle: int | None = None
    """The offset in the document of the construct that keeps it from running."""
    reply: Reply | None = None
    """Its result; None if no later file can have it."""


class Lenses(NamedTuple, Generic[S]):
    """The lenses of a format."""

    places: Callable[[Section], tuple[int, ...]]
    """Returns the offsets of the lenses of a section, in order."""
    standing: Callable[[Section, int, S, Callable[[], Index]], Standing | None]
    """Returns the standing of the construct that begins on the line that ends at an offset of a section; None without
    one. The function gives the names of the document.
    """
    has_order: Callable[[Index], bool]
    """Whether any construct of a document waits for another. If all begin at once, standings need not be shown."""
