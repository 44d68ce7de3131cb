"""The texts of open documents as the client counts them, and texts that are not analysed."""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, TypeVar

from llmblocks.core.document import Document
from llmblocks.core.edits import Edit
from llmblocks.core.scan import Kind, Scanned
from llmblocks.lsp.documents.places import Cursor, Encoding, code_points, units
from llmblocks.lsp.wire.params import LspChange
from llmblocks.lsp.wire.uris import identity

if TYPE_CHECKING:
    from llmblocks.core.sequence import Placed
    from llmblocks.lsp.documents.hosted import HostedText
    from llmblocks.lsp.documents.text import AnalysedText
    from llmblocks.lsp.wire.values import Position, Range, TextEdit

BREAK = re.compile(r"\r\n|\n|\r")
_PROSE = Kind("prose", merges=True)
_SECTION = 1 << 13
_BLOCK = 1 << 16
_Sequence = TypeVar("_Sequence", str, "array[int]", "list[tuple[str, str]]")


def difference(old: str, new: str) -> Edit | None:
    """Return the smallest single replacement from `old` to `new`; None if they are equal."""
    if old == new:
        return None
    head, tail = alike(old, new)
    return Edit(head, len(old) - tail, new[head : len(new) - tail])


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


class ClientText:
    """A text, stored once, in the sections of its document. It has the places of `Places`."""

    key: object = None
    """Only edits move its places."""

    def __init__(self, document: Document, encoding: Encoding) -> None:
        self._document = document
        self.encoding: Encoding = encoding

    @property
    def document(self) -> Document:
        """The current text."""
        return self._document

    @property
    def text(self) -> str:
        return self.document.text

    @property
    def size(self) -> int:
        """The number of code points, without waiting changes."""
        return len(self._document)

    def offset(self, line: int, character: int) -> int:
        """Return the code point at a place, clamped to the end of the line or the text."""
        start = self.begin(line)
        if character == 0 or start is None:
            return len(self.document) if start is None else start
        # every code point has at least one unit, so this many code points are enough
        text = self.document.slice(start, start + character)
        end = BREAK.search(text)
        return start + code_points(text[: end.start()] if end else text, character, self.encoding)

    def position(self, offset: int) -> tuple[int, int]:
        """Return the line and the character of a code point."""
        placed = self.document.section_at(min(max(offset, 0), len(self.document)))
        return self.in_section(placed).position(min(max(offset - placed.start, 0), placed.section.length))

    def place(self, offset: int) -> Position:
        line, character = self.position(offset)
        return {"line": line, "character": character}

    def line_start(self, line: int) -> Position:
        return {"line": line, "character": 0}

    def span(self, start: int, end: int) -> Range:
        """Return the range between two code points."""
        return {"start": self.place(start), "end": self.place(end)}

    def in_section(self, placed: Placed) -> Cursor:
        section, start, line, _, before = placed
        column = 0
        if before is not None and not before.text.endswith("\n"):
            begin = self.begin(line)
            assert begin is not None, "a line that a section begins on begins somewhere"
            column = units(self.document.slice(begin, start), self.encoding)
        return Cursor(section, self.encoding, line, column)

    def begin(self, line: int) -> int | None:
        """Return the code point at the start of a line; None after the last line."""
        sections = self.document.sections
        if line == 0:
            return 0
        if line > sections.breaks:
            return None
        placed = sections.at_break(line)
        breaks = BREAK.finditer(placed.section.text)
        return placed.start + next(islice(breaks, line - placed.breaks - 1, None)).end()

    def edit(self, edit: Edit, *, is_snippet: bool = False, at: Range | None = None) -> TextEdit:
        return {"range": at or self.span(edit.start, edit.end), "newText": edit.text}

    def apply(self, change: LspChange) -> None:
        """Make one change. Places beyond a line or the text are clamped; a whole text is reduced to its difference."""
        span, text = change
        if span is not None:
            ends = self.offset(span.start_line, span.start_character), self.offset(span.end_line, span.end_character)
            self._edit(Edit(min(ends), max(ends), text))
        elif (edit := difference(self.text, text)) is not None:
            self._edit(edit)

    def _edit(self, edit: Edit) -> None:
        self._document.edit(*edit)


class _Prose:
    """The scanner of a text that is not analysed."""

    initial = None

    def scan(self, text: str, start: int, stop: int, state: None, final: bool) -> Scanned:
        """See `Scanner.scan`. A section is some lines."""
        end = text.find("\n", min(start + _SECTION, stop), stop) + 1 or stop
        return Scanned([_PROSE.of[end - start]], end, None, head=True)


class PlainText(ClientText):
    """A text that is not analysed: a settings file, or a document in another language."""

    def __init__(self, text: str, encoding: Encoding) -> None:
        super().__init__(Document(_Prose(), text), encoding)


@dataclass(slots=True)
class OpenDocument:
    """An open document, as the client has described it.

    It has one text: the analysed `text`, `hosted` for a document that may embed texts, or `plain` for a settings file
    and for text that is not analysed.
    """

    uri: str
    language_id: str
    version: int | None
    text: AnalysedText | None = None
    oversize: int = 0
    """The size in bytes if it would be analysed, but is too large; otherwise 0."""
    hosted: HostedText | None = None
    plain: PlainText | None = None
    is_settings: bool = False
    is_arriving: bool = False
    """Whether another program is still writing its end."""

    @property
    def content(self) -> ClientText | None:
        """Its text, in any of these forms."""
        return self.text or self.hosted or self.plain


class Documents:
    """The documents that the client has open, by their URI with any percent-encoding."""

    def __init__(self) -> None:
        self._known: dict[str, OpenDocument] = {}

    def __iter__(self) -> Iterator[OpenDocument]:
        return iter(tuple(self._known.values()))

    def get(self, uri: str) -> OpenDocument | None:
        return self._known.get(identity(uri))

    def put(self, document: OpenDocument) -> None:
        self._known[identity(document.uri)] = document

    def remove(self, uri: str) -> OpenDocument | None:
        return self._known.pop(identity(uri), None)
