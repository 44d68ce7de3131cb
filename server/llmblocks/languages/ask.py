"""What every feature is asked."""

from __future__ import annotations

from dataclasses import dataclass

from llmblocks.core.document import Document
from llmblocks.languages.language import Language
from llmblocks.settings.values import Settings


@dataclass(frozen=True, slots=True)
class Ask:
    """A question about a document: the one argument of every feature.

    Shape: `start` to `end` are the code points that it is about: a range, a position, where the two are equal, or the
           whole document.
    """

    document: Document
    language: Language
    settings: Settings
    start: int
    end: int

    @property
    def position(self) -> int:
        """The place that is asked about; of a range, its start."""
        return self.start


def ask_all(document: Document, language: Language, settings: Settings) -> Ask:
    """A question about a whole document."""
    return Ask(document, language, settings, 0, len(document))
