"""The texts of open documents as the client counts them, and those that nobody analyses."""

from __future__ import annotations

from llmblocks.core.document import Document
from llmblocks.core.scan import Kind, Scanned
from llmblocks.lsp.documents.columns import ClientPositions, Encoding
from llmblocks.lsp.documents.splice import Splice, difference
from llmblocks.lsp.wire.params import LspChange

_PROSE = Kind("prose", merges=True)
_SECTION = 1 << 13


class _Prose:
    """The scanner of a text that is not read here."""

    initial = None

    def scan(self, text: str, start: int, stop: int, state: None, final: bool) -> Scanned:
        """See `Scanner.scan`. A section is some lines."""
        end = text.find("\n", min(start + _SECTION, stop), stop) + 1 or stop
        return Scanned([_PROSE.of[end - start]], end, None, head=True)


class ClientText:
    """A text, held once: in the sections of its document."""

    __slots__ = ("_document", "_positions")

    def __init__(self, document: Document, encoding: Encoding) -> None:
        self._document = document
        self._positions = ClientPositions(document, encoding)

    @property
    def document(self) -> Document:
        """The engine's document with all changes applied. Valid until the next change."""
        return self._document

    @property
    def text(self) -> str:
        return self.document.text

    @property
    def size(self) -> int:
        """The number of code points, without the changes on a line that is held back."""
        return len(self._document)

    @property
    def encoding(self) -> Encoding:
        """The client's position encoding."""
        return self._positions.encoding

    def offset(self, line: int, character: int) -> int:
        """The code point at a place of the client."""
        return self._positions.offset(line, character)

    def position(self, offset: int) -> tuple[int, int]:
        """The client's line and character of a code point."""
        return self._positions.position(offset)

    def place(self, offset: int) -> dict[str, int]:
        """The same as the client writes it."""
        line, character = self.position(offset)
        return {"line": line, "character": character}

    def apply(self, change: LspChange) -> None:
        """Make one change. Places beyond a line or the text are clamped; a whole text is reduced to what differs."""
        splice = self.splice_of(change)
        if splice is not None:
            self._edit(*splice)

    def splice_of(self, change: LspChange) -> Splice | None:
        """A change of the client in code points; None if it changes nothing."""
        span, text = change
        if span is None:
            return difference(self.text, text)
        ends = self.offset(span.start_line, span.start_character), self.offset(span.end_line, span.end_character)
        return Splice(min(ends), max(ends), text)

    def _edit(self, start: int, end: int, text: str) -> None:
        self._document.edit(start, end, text)


class PlainText(ClientText):
    """A text that is not analysed: a settings file, or a document of a language that is none of ours."""

    def __init__(self, text: str, encoding: Encoding) -> None:
        super().__init__(Document(_Prose(), text), encoding)
