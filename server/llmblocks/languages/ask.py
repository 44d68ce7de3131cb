"""The argument of every feature."""

from __future__ import annotations

from dataclasses import dataclass

from llmblocks.core.document import Document
from llmblocks.languages.language import Language
from llmblocks.settings.values import Settings


@dataclass(frozen=True, slots=True)
class Ask:
    """A question about a document: the only argument of every feature.

    Shape: `start` and `end` are code points: of a range, of a position (then both are equal), or of the whole document.
    """

    document: Document
    language: Language
    settings: Settings
    start: int
    end: int

    @property
    def position(self) -> int:
        """The position; for a range, its start."""
        return self.start


def ask_all(document: Document, language: Language, settings: Settings) -> Ask:
    """A question about a whole document."""
    return Ask(document, language, settings, 0, len(document))
