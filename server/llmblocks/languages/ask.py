"""The argument of every feature."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from llmblocks.contract.other_files import ALONE, OtherFiles
from llmblocks.core.document import Document
from llmblocks.core.index import Index
from llmblocks.core.sequence import Placed
from llmblocks.facts.finding import Finding
from llmblocks.languages.language import Language
from llmblocks.settings.values import Settings

_SECTIONS = 64
"""The number of sections read between two pauses."""


class SectionFindings(NamedTuple):
    """The findings that begin in a section, with places counted from the start of the document."""

    placed: Placed
    findings: Sequence[Finding]


@dataclass(frozen=True, slots=True)
class Ask:
    """A question about a document: the only argument of every feature."""

    document: Document
    language: Language
    settings: Settings
    start: int
    """Code points, like `end`: of a range, of a position (then both are equal), or of the whole document."""
    end: int
    known_index: Callable[[], Index | None] = lambda: None
    """Returns the index of the document if there is one already."""
    known_findings: Callable[[int, int], Sequence[Finding]] | None = None
    """Returns the findings that touch a stretch of the document, if they are known."""
    other_files: OtherFiles = ALONE
    """The other files of its session."""
    all_findings: Callable[[], Iterable[SectionFindings]] | None = None
    """Returns the findings of each section that has some, if they are known."""
    pause: Callable[[], None] = lambda: None
    """Called now and then in long work; it raises an error to end the work."""

    def index(self) -> Index:
        """Return the names of the document, valid until the next edit."""
        return self.known_index() or Index(self.document.sections, self.language.symbols, self.other_files)

    def placed(self) -> Iterator[Placed]:
        """Yield all sections with their places, with pauses."""
        for placed in self.document.placed():
            if placed.number % _SECTIONS == 0:
                self.pause()
            yield placed

    def shows_order(self) -> bool:
        """Whether lenses show the order of calls. One above each of many independent calls would only move the text."""
        stated = [layer.lenses() for layer in self.language.loaded if layer.lenses is not None]
        return self.settings.lens_order and any(lenses.has_order(self.index()) for lenses in stated)

    @property
    def position(self) -> int:
        """The position; for a range, its start."""
        return self.start


def ask_all(document: Document, language: Language, settings: Settings, other_files: OtherFiles = ALONE) -> Ask:
    """Return a question about a whole document."""
    return Ask(document, language, settings, 0, len(document), other_files=other_files)
