"""A document as the host of the blocks in it whose content is declared to be gadget calls or a chat."""

from __future__ import annotations

from collections.abc import Iterator

from llmblocks.core.edits import Edit
from llmblocks.hosts.embedded import EmbeddedText, Found, Segment
from llmblocks.languages.language import Language
from llmblocks.rules.languages_in_blocks import contents_in, languages_of
from llmblocks.settings.values import Settings


class BlocksHost:
    """Finds the blocks of other languages. Shape: those with calls in their midst are left out."""

    by_line = False

    def __init__(self, language: Language, settings: Settings, known: dict[str, str]) -> None:
        self._language = language
        self._settings = settings
        self._known = known

    @classmethod
    def of(cls, language: Language, settings: Settings) -> BlocksHost | None:
        """The host for documents of a language; None where no settings declare such blocks."""
        known = languages_of(language, settings)
        return cls(language, settings, known) if known else None

    def settled(self, text: str) -> BlocksHost:
        """See `Host.settled`."""
        return self

    def find(self, text: str) -> list[EmbeddedText]:
        """See `Host.find`."""
        return [*self._found(text)]

    def read(self, text: str) -> Found:
        """See `Host.read`."""
        return Found(self.find(text))

    def keeps_text(self, segment: Segment, old: str, new: str) -> bool:
        """See `Host.keeps_text`: any character may end a block."""
        return False

    def keeps_all(self, before: str, old: str, new: str) -> bool:
        """See `Host.keeps_all`."""
        return False

    def outside(self, text: str, embedded: EmbeddedText, edit: Edit) -> Edit:
        """See `Host.outside`: nothing is escaped in a block."""
        return Edit(*embedded.span(edit.start, edit.end), edit.text)

    def _found(self, text: str) -> Iterator[EmbeddedText]:
        for placed in self._language.open(text, self._settings).placed():
            for language_id, content in contents_in(placed.section, self._known):
                if len(content.at) == 1:
                    start = placed.start + content.starts[0]
                    whole = Segment(start, start + len(content.text), 0, content.text)
                    yield EmbeddedText(language_id, (whole,))
