"""Code lenses: labels above a line of the text that can be clicked."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, Literal, NamedTuple, TypeVar

from llmblocks.core.index import Index
from llmblocks.core.places import Elsewhere
from llmblocks.core.section import Section

LensKind = Literal["order", "result", "parameters"]
S = TypeVar("S", contravariant=True)


class Standing(NamedTuple):
    """The place of something in the order of a run.

    Shape: `says` is a few words, and `message` the runtime's where it does not run; `obstacle` is the offset in the
           document of what keeps it from running.
    """

    says: str
    message: str = ""
    obstacle: int | None = None


class Reply(NamedTuple):
    """The result of a call, or that it has none. Shape: `place` is that of the result; `excerpt` is how it begins."""

    says: str
    place: Elsewhere | None = None
    excerpt: str = ""


class Lenses(NamedTuple, Generic[S]):
    """The lenses of a format.

    Shape: `places` gives the offsets in a section of what has lenses, in order. `standing` gives that of what begins
           on the line that ends at an offset of a section, None where nothing begins; the function gives the names of
           the document. `reply` gives the result of the same, None where no later file can tell it. `has_order` says
           whether any of a document waits for another: a standing need not be shown where all begin at once.
    """

    places: Callable[[Section], tuple[int, ...]]
    standing: Callable[[Section, int, S, Callable[[], Index]], Standing | None]
    reply: Callable[[Section, int, S, Callable[[], Index]], Reply | None]
    has_order: Callable[[Index], bool]
