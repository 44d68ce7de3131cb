"""Code lenses: labels above a line of the text that can be clicked."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, Literal, NamedTuple, TypeVar

from llmblocks.core.index import Index
from llmblocks.core.section import Piece, Section

LensKind = Literal["order", "parameters"]
S = TypeVar("S", contravariant=True)


class Standing(NamedTuple):
    """The place of something in the order of a run.

    Shape: `says` is a few words, and `message` the runtime's where it does not run; `obstacle` is the offset in the
           document of what keeps it from running.
    """

    says: str
    message: str = ""
    obstacle: int | None = None


class Lenses(NamedTuple, Generic[S]):
    """The lenses of a format.

    Shape: `places` gives the offsets in a piece of what has lenses, in order. `standing` gives that of what begins on
           the line that ends at an offset of a section, None where nothing begins; the function gives the names of the
           document.
    """

    places: Callable[[Piece], tuple[int, ...]]
    standing: Callable[[Section, int, S, Callable[[], Index]], Standing | None]
