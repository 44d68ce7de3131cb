"""A document as the host of those blocks whose declared content is gadget calls or a chat."""

from __future__ import annotations

from collections.abc import Iterator

from llmblocks.hosts.embedded import EmbeddedText, EmbeddedTexts, Host, Segment
from llmblocks.languages.language import Language
from llmblocks.rules.languages_in_blocks import contents_in, languages_of
from llmblocks.settings.values import Settings


class BlocksHost(Host):
    """Finds the blocks of other languages, except those with calls inside."""

    def __init__(self, language: Language, settings: Settings, known: dict[str, str]) -> None:
        self._language = language
        self._settings = settings
        self._known = known

    @classmethod
    def of(cls, language: Language, settings: Settings) -> BlocksHost | None:
        """Return the host for documents of a language; None if no settings declare such blocks."""
        known = languages_of(language, settings)
        return cls(language, settings, known) if known else None

    def read(self, text: str) -> EmbeddedTexts:
        """See `Host.read`."""
        return EmbeddedTexts([*self._found(text)])

    def _found(self, text: str) -> Iterator[EmbeddedText]:
        for placed in self._language.open(text, self._settings).placed():
            for language_id, content in contents_in(placed.section, self._known):
                if len(content.parts) == 1:
                    start = placed.start + content.parts[0].start
                    whole = Segment(start, start + len(content.text), 0, content.text)
                    yield EmbeddedText(language_id, (whole,))
