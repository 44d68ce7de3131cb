"""The subjects of hovers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from llmblocks.core.index import Index
from llmblocks.core.section import Section, Span

T = TypeVar("T", covariant=True)


@dataclass(frozen=True, slots=True)
class Subject(Generic[T]):
    """The subject of a hover: a token in a section.

    Shape: `span` and `offset`, the position that is asked about, count from the start of the section. `index` gives the
           names of the document.
    """

    section: Section
    span: Span
    offset: int
    settings: T
    index: Callable[[], Index]

    @property
    def text(self) -> str:
        """The text of the token."""
        return self.section.text[self.span.start : self.span.end]


Describe = Callable[[Subject[T]], "str | None"]
"""From a token at its place to Markdown, or None."""
