"""From offsets in a section to the client's lines and characters."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from llmblocks.lsp.documents.columns import Encoding, line_breaks, units

if TYPE_CHECKING:
    from llmblocks.core.section import Section


class CursorPosition(NamedTuple):
    """A place in a section. Shape: `line` counts from the section's; `character` from the line's start within it."""

    line: int
    character: int


class Cursor:
    """Finds places in a section, independent of the section's position in the document.

    It moves forward: asked for ascending offsets, it looks at each character once. Going back starts over.
    """

    __slots__ = ("_at", "_character", "_encoding", "_line", "_next", "_number", "_piece", "_pieces", "_start")

    def __init__(self, section: Section, encoding: Encoding) -> None:
        self._pieces = section.pieces
        self._encoding: Encoding = encoding
        self._start_over()

    def _start_over(self) -> None:
        self._number = self._start = self._at = self._line = self._character = 0
        self._piece = self._pieces[0]
        self._next = self._piece.length

    def place(self, offset: int) -> CursorPosition:
        """Line and character of a code point; between `\\r` and `\\n` it is before both."""
        if offset < self._at:
            self._start_over()
        while offset >= self._next and self._number + 1 < len(self._pieces):
            self._to_next_piece()
        piece = self._piece
        inside, at = offset - self._start, self._at - self._start
        text = piece.text
        if inside and text[inside - 1 : inside + 1] == "\r\n":
            inside -= 1
            if inside < at:
                return self.place(offset - 1)
        if inside > at:
            breaks, last = line_breaks(text, at, inside, piece.returns > 0)
            self._character = units(text[last:inside], self._encoding) + (0 if breaks else self._character)
            self._line += breaks
            self._at = self._start + inside
        return CursorPosition(self._line, self._character)

    def _to_next_piece(self) -> None:
        """Go to the start of the next piece, counting only what is left of this one."""
        piece = self._piece
        text, at = piece.text, self._at - self._start
        if at == 0:
            breaks = piece.newlines + piece.returns
            last = len(text) if text.endswith("\n") else line_breaks(text, 0, len(text), piece.returns > 0)[1]
        else:
            breaks, last = line_breaks(text, at, len(text), piece.returns > 0)
        self._character = units(text[last:], self._encoding) + (0 if breaks else self._character)
        self._line += breaks
        self._number += 1
        self._piece = self._pieces[self._number]
        self._start = self._at = self._next
        self._next += self._piece.length
