"""A text that is not analysed, with the client's changes."""

from __future__ import annotations

from llmblocks.core.document import Document
from llmblocks.core.scan import Kind, Scanned
from llmblocks.lsp.documents.columns import ClientPositions, Encoding
from llmblocks.lsp.documents.splice import Splice, difference
from llmblocks.lsp.wire.params import LspChange

_PROSE = Kind("prose", merges=True)


class _Prose:
    """The scanner of a text that is not read here."""

    initial = None

    def scan(self, text: str, start: int, stop: int, state: None, final: bool) -> Scanned:
        """See `Scanner.scan`."""
        return Scanned([_PROSE.of[stop - start]] if stop > start else [], stop, None, head=False)


class PlainText:
    """A text of a language that is none of ours. Shape: `document` is the engine's, with all changes."""

    def __init__(self, text: str, encoding: Encoding) -> None:
        self.document = Document(_Prose(), text)
        self._positions = ClientPositions(self.document, encoding)

    @property
    def text(self) -> str:
        return self.document.text

    @property
    def size(self) -> int:
        """The number of code points."""
        return len(self.document)

    def offset(self, line: int, character: int) -> int:
        """The code point at a place of the client."""
        return self._positions.offset(line, character)

    def position(self, offset: int) -> tuple[int, int]:
        """The client's line and character of a code point."""
        return self._positions.position(offset)

    def apply(self, change: LspChange) -> None:
        """Make one change, as `AnalysedText.apply` does."""
        splice = self.splice_of(change)
        if splice is not None:
            self.document.edit(*splice)

    def splice_of(self, change: LspChange) -> Splice | None:
        """A change of the client in code points; None if it changes nothing."""
        span, text = change
        if span is None:
            return difference(self.text, text)
        ends = self.offset(span.start_line, span.start_character), self.offset(span.end_line, span.end_character)
        return Splice(min(ends), max(ends), text)
