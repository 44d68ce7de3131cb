"""The texts of open documents as the client counts them, and texts that are not analysed."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from llmblocks.core.document import Document
from llmblocks.core.scan import Kind, Scanned
from llmblocks.lsp.documents.places import ClientPositions, Encoding
from llmblocks.lsp.wire.params import LspChange

if TYPE_CHECKING:
    from llmblocks.core.edits import Edit
    from llmblocks.lsp.wire.values import Position, Range, TextEdit

_PROSE = Kind("prose", merges=True)
_SECTION = 1 << 13
_BLOCK = 1 << 16
_Sequence = TypeVar("_Sequence", str, "array[int]", "list[tuple[str, str]]")


class Splice(NamedTuple):
    """A replacement of the text from `start` to `end`, in code points, by `text`."""

    start: int
    end: int
    text: str


def difference(old: str, new: str) -> Splice | None:
    """Return the smallest single replacement from `old` to `new`; None if they are equal."""
    if old == new:
        return None
    head, tail = alike(old, new)
    return Splice(head, len(old) - tail, new[head : len(new) - tail])


def alike(old: _Sequence, new: _Sequence) -> tuple[int, int]:
    """Return the lengths of the common prefix and of the common suffix, without a Python step for each item."""
    limit = min(len(old), len(new))
    head = _most(limit, lambda low, high: old[low:high] == new[low:high])
    size, fresh = len(old), len(new)
    tail = _most(limit - head, lambda low, high: old[size - high : size - low] == new[fresh - high : fresh - low])
    return head, tail


def _most(limit: int, same: Callable[[int, int], bool]) -> int:
    """Return the length of the common part up to a limit, where `same` compares two ranges."""
    low = 0
    while low < limit and same(low, min(low + _BLOCK, limit)):
        low += _BLOCK
    low, high = min(low, limit), min(low + _BLOCK, limit)
    while low < high:
        middle = (low + high + 1) // 2
        if same(low, middle):
            low = middle
        else:
            high = middle - 1
    return low


class _Prose:
    """The scanner of a text that is not analysed."""

    initial = None

    def scan(self, text: str, start: int, stop: int, state: None, final: bool) -> Scanned:
        """See `Scanner.scan`. A section is some lines."""
        end = text.find("\n", min(start + _SECTION, stop), stop) + 1 or stop
        return Scanned([_PROSE.of[end - start]], end, None, head=True)


class ClientText(ClientPositions):
    """A text, stored once, in the sections of its document. It has the places of `Places`."""

    @property
    def text(self) -> str:
        return self.document.text

    @property
    def size(self) -> int:
        """The number of code points, without waiting changes."""
        return len(self._document)

    @property
    def key(self) -> object:
        """Only edits move its places."""
        return None

    def place(self, offset: int) -> Position:
        """Return the place of a code point."""
        line, character = self.position(offset)
        return {"line": line, "character": character}

    def line_start(self, line: int) -> Position:
        """Return the start of one of the client's lines."""
        return {"line": line, "character": 0}

    def span(self, start: int, end: int) -> Range:
        """Return the range between two code points."""
        return {"start": self.place(start), "end": self.place(end)}

    def edit(self, edit: Edit, *, is_snippet: bool = False, at: Range | None = None) -> TextEdit:
        """Return an edit for the client."""
        return {"range": at or self.span(edit.start, edit.end), "newText": edit.text}

    def apply(self, change: LspChange) -> None:
        """Make one change. Places beyond a line or the text are clamped; a whole text is reduced to its difference."""
        splice = self.splice_of(change)
        if splice is not None:
            self._edit(*splice)

    def splice_of(self, change: LspChange) -> Splice | None:
        """Return a change of the client in code points; None if it changes nothing."""
        span, text = change
        if span is None:
            return difference(self.text, text)
        ends = self.offset(span.start_line, span.start_character), self.offset(span.end_line, span.end_character)
        return Splice(min(ends), max(ends), text)

    def _edit(self, start: int, end: int, text: str) -> None:
        self._document.edit(start, end, text)


class PlainText(ClientText):
    """A text that is not analysed: a settings file, or a document in another language."""

    def __init__(self, text: str, encoding: Encoding) -> None:
        super().__init__(Document(_Prose(), text), encoding)
