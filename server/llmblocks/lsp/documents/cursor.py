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

    __slots__ = ("_at", "_character", "_encoding", "_has_returns", "_line", "_text")

    def __init__(self, section: Section, encoding: Encoding) -> None:
        self._text = section.text
        self._has_returns = section.returns > 0
        self._encoding: Encoding = encoding
        self._at = self._line = self._character = 0

    def place(self, offset: int) -> CursorPosition:
        """Line and character of a code point; between `\\r` and `\\n` it is before both."""
        text = self._text
        if offset and text[offset - 1 : offset + 1] == "\r\n":
            offset -= 1
        if offset < self._at:
            self._at = self._line = self._character = 0
        if offset > self._at:
            breaks, last = line_breaks(text, self._at, offset, self._has_returns)
            self._character = units(text[last:offset], self._encoding) + (0 if breaks else self._character)
            self._line += breaks
            self._at = offset
        return CursorPosition(self._line, self._character)
