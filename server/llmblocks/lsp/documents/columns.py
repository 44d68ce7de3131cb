"""The conversion between the client's positions and the engine's offsets.

The client counts lines that end at `\\n`, `\\r\\n` or a lone `\\r`, and characters in UTF-8, UTF-16 or UTF-32 units.
The engine counts code points, and lines that end at `\\n`.
"""

from __future__ import annotations

import re
import sys
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, Literal

from llmblocks.core.query import Summary
from llmblocks.core.section import RETURN
from llmblocks.core.tree import Node

if TYPE_CHECKING:
    from llmblocks.core.document import Document
    from llmblocks.core.section import Section
    from llmblocks.core.sequence import Placed

Encoding = Literal["utf-8", "utf-16", "utf-32"]
ENCODINGS: tuple[Encoding, ...] = ("utf-32", "utf-16", "utf-8")
"""The supported encodings, best first: UTF-32 needs no conversion."""

_BREAK = re.compile(r"\r\n|\n|\r")
_LONE_RETURN = re.compile(r"\r(?!\n)")
_LONG = 1 << 12
_USUAL = 1 << 8


def choose_encoding(offered: object) -> Encoding:
    """The encoding for a client that offers these, under its protocol name; UTF-16 if it offers none."""
    if isinstance(offered, list):
        for encoding in ENCODINGS:
            if encoding in offered:
                return encoding
    return "utf-16"


def units(text: str, encoding: Encoding) -> int:
    """The number of units in a text."""
    if encoding == "utf-32" or text.isascii():
        return len(text)
    if encoding == "utf-16":
        return len(text.encode("utf-16-le", "surrogatepass")) // 2
    return len(text.encode("utf-8", "surrogatepass"))


def place_in(text: str, offset: int, encoding: Encoding) -> dict[str, int]:
    """The client's place of a code point of a text whose lines end at `\\n`."""
    line_start = text.rfind("\n", 0, offset) + 1
    return {"line": text.count("\n", 0, offset), "character": units(text[line_start:offset], encoding)}


def code_points(text: str, count: int, encoding: Encoding) -> int:
    """The number of complete code points in the first `count` units."""
    if encoding == "utf-32" or text.isascii():
        return min(count, len(text))
    try:
        if encoding == "utf-16":
            return len(text.encode("utf-16-le")[: 2 * count].decode("utf-16-le", "ignore"))
        return len(text.encode("utf-8")[:count].decode("utf-8", "ignore"))
    except UnicodeEncodeError:
        return _code_points_one_by_one(text, count, encoding)


def _code_points_one_by_one(text: str, count: int, encoding: Encoding) -> int:
    """For lines with half of a surrogate pair in them, which no codec cuts as it should."""
    for index, character in enumerate(text):
        count -= units(character, encoding)
        if count < 0:
            return index
    return len(text)


@cache
def _units_of(encoding: Encoding) -> Summary[int]:
    """The number of units in some neighbouring pieces."""
    return Summary("units", lambda piece: units(piece.text, encoding), sum)


class ClientPositions:
    """The conversion for the current text of a document."""

    __slots__ = ("_document", "encoding")

    def __init__(self, document: Document, encoding: Encoding) -> None:
        self._document = document
        self.encoding: Encoding = encoding

    def offset(self, line: int, character: int) -> int:
        """The code point at a place; after the end of a line it is that end, after the last line the text's."""
        start = self.line_start(line)
        if character == 0 or start is None:
            return len(self._document) if start is None else start
        if character > _LONG:
            end_of_line = self._line_end(line)
            return start + self._counted(start, end_of_line - start, character)[0]
        # every code point has at least one unit, so this many code points are enough
        text = self._document.slice(start, start + character)
        end = _BREAK.search(text)
        if end is not None:
            text = text[: end.start()]
        return start + code_points(text, character, self.encoding)

    def position(self, offset: int) -> tuple[int, int]:
        """Line and character of a code point."""
        document = self._document
        if not document.sections.returns:
            line, col = document.position(offset)
            if self.encoding == "utf-32" or col == 0:
                return line, self._before_break(offset, col)
            return line, self._units(offset - col, offset - self._splits_break(offset))
        return self._position_with_returns(offset)

    def line_start(self, line: int) -> int | None:
        """The code point at the start of a line; None after the last line."""
        document = self._document
        sections = document.sections
        if line == 0:
            return 0
        if not sections.returns:
            return None if line > sections.newlines else document.line_start(line)
        if line > sections.newlines + sections.returns:
            return None
        placed = sections.at_break(line)
        return placed.start + _behind_break(placed.section, line - placed.line - placed.returns)

    def content(self, start: int, most: int) -> str | None:
        """The line that begins at `start`, without its end; None if it is longer than this."""
        text = self._document.slice(start, start + _USUAL)
        end = _BREAK.search(text)
        if end is None and len(text) == _USUAL:
            text = self._document.slice(start, start + most + 1)
            end = _BREAK.search(text)
        if end is not None:
            return text[: end.start()]
        return text if len(text) <= most else None

    def _before_break(self, offset: int, col: int) -> int:
        return col - 1 if col and self._splits_break(offset) else col

    def _splits_break(self, offset: int) -> bool:
        has_returns = RETURN in self._document.sections.root.kinds
        return has_returns and offset > 0 and self._document.slice(offset - 1, offset + 1) == "\r\n"

    def _position_with_returns(self, offset: int) -> tuple[int, int]:
        document = self._document
        offset = min(max(offset, 0), len(document))
        if self._splits_break(offset):
            offset -= 1
        placed = document.section_at(offset)
        line = placed.line + placed.returns + _breaks_before(placed.section, offset - placed.start)
        start = self.line_start(line)
        assert start is not None, "a line that a place is on begins somewhere"
        return line, self._units(start, offset)

    def _line_end(self, line: int) -> int:
        """The end of a line, without its line break."""
        behind = self.line_start(line + 1)
        if behind is None:
            return len(self._document)
        return behind - (2 if self._document.slice(behind - 2, behind) == "\r\n" else 1)

    def _units(self, start: int, end: int) -> int:
        """The number of units between two places on a line."""
        if end - start > _LONG:
            return self._counted(start, end - start, sys.maxsize)[1]
        return units(self._document.slice(start, end), self.encoding)

    def _counted(self, start: int, most: int, most_units: int) -> tuple[int, int]:
        """The number of code points behind a place, up to so many of them and so many units; their units."""
        points = count = 0
        if self.encoding == "utf-32":
            return (min(most, most_units),) * 2
        placed: Placed | None = self._document.section_at(start)
        assert placed is not None
        number, inside = placed.section.piece_at(start - placed.start)
        size_of = _units_of(self.encoding)
        while placed is not None:
            # the last of these is the next one
            parts = [*reversed(placed.section.pieces.behind(number))]
            while parts:
                part = parts.pop()
                if not inside:
                    size = size_of(part)
                    if points + part.length <= most and count + size <= most_units:
                        points, count = points + part.length, count + size
                        continue
                if isinstance(part, Node):
                    parts += reversed(part.children)
                    continue
                text = part.text[inside:]
                inside = 0
                size = units(text, self.encoding)
                if points + len(text) > most or count + size > most_units:
                    text = text[: most - points]
                    text = text[: code_points(text, most_units - count, self.encoding)]
                    return points + len(text), count + units(text, self.encoding)
                points, count = points + len(text), count + size
            placed, number = self._document.sections.after(placed), 0
        return points, count


def _behind_break(section: Section, number: int) -> int:
    """The end of the section's `number`th line break, counting from 1."""
    piece, others = section.piece_at(number - 1, lambda part: part.newlines + part.returns)
    breaks = islice(_BREAK.finditer(section.pieces[piece].text), others, None)
    return section.up_to(piece).length + next(breaks).end()


def _breaks_before(section: Section, offset: int) -> int:
    """The number of the section's line breaks that end at or before a place in it."""
    number, inside, piece = section.find(offset)
    before = section.up_to(number)
    return before.newlines + before.returns + line_breaks(piece.text, 0, inside, piece.returns > 0)[0]


def line_breaks(text: str, start: int, end: int, has_returns: bool) -> tuple[int, int]:
    """How many line breaks end after `start` and at or before `end`; where the last of them has ended, or `start`."""
    count = text.count("\n", start, end)
    last = text.rfind("\n", start, end) + 1 if count else start
    if has_returns:
        lone = [found.end() for found in _LONE_RETURN.finditer(text, start, end + 1) if found.end() <= end]
        count += len(lone)
        last = max([last, *lone[-1:]])
    return count, last
