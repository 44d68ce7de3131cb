"""Inlay hints: implicit facts, shown inside the text."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, NamedTuple, TypeVar

from llmblocks.core.index import Index
from llmblocks.core.section import Section

HintKind = Literal["types", "waves", "ends"]
S = TypeVar("S", contravariant=True)


class Hint(NamedTuple):
    """A hint."""

    offset: int
    """Code points from the start of the section."""
    label: str
    kind: HintKind
    tooltip: str
    """Explains the label."""


HintsOf = Callable[[Section, int, int, S, Callable[[], Index]], "list[Hint]"]
"""Returns the hints of a section between two offsets in it. The function gives the names of the document."""
