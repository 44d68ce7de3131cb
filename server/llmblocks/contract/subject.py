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
    """The subject of a hover: a token in a section."""

    section: Section
    span: Span
    """The token, from the start of the section."""
    offset: int
    """The position of the hover, from the start of the section."""
    settings: T
    index: Callable[[], Index]
    """The names of the document."""

    @property
    def text(self) -> str:
        """The text of the token."""
        return self.section.text[self.span.start : self.span.end]


Describe = Callable[[Subject[T]], "str | None"]
"""Returns Markdown for a token at its place, or None."""
