"""Code lenses: labels above a line of the text that can be clicked."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal, NamedTuple

from llmblocks.core.finding import Finding
from llmblocks.core.index import Index
from llmblocks.core.section import Piece, Section

LensKind = Literal["order", "problems", "parameters"]


class LensPlace(NamedTuple):
    """Something that has lenses, by its offset in a piece. Shape: `ordered` says that it can have one of its order."""

    offset: int
    ordered: bool


class ProblemLens(NamedTuple):
    """A lens of problems, by its offset in the section."""

    offset: int
    title: str


@dataclass(frozen=True, slots=True)
class Lenses:
    """The lenses of a format.

    Shape: `places` gives those of a piece, in order. `order` gives the title of the lens of order of what begins on the
           line that ends at an offset, None where nothing begins. `problems` gives the lenses for some findings of a
           section, which begins at an offset; the function gives the names of the document.
    """

    places: Callable[[Piece], tuple[LensPlace, ...]]
    order: Callable[[Section, int, Callable[[], Index]], str | None]
    problems: Callable[[Section, int, Iterable[Finding], Callable[[], Index]], list[ProblemLens]]
