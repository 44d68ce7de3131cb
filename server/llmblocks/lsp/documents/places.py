"""The conversion between the client's positions and the engine's offsets.

The client counts lines that end at `\\n`, `\\r\\n` or a lone `\\r`, and characters in UTF-8, UTF-16 or UTF-32 units.
The engine counts code points, and lines that end at `\\n`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, ParamSpec, TypeAlias, TypeVar

from llmblocks.core.query import Query

if TYPE_CHECKING:
    from llmblocks.core.places import Elsewhere
    from llmblocks.core.section import Remembers, Section
    from llmblocks.lsp.documents.hosted import Guest, GuestSection
    from llmblocks.lsp.documents.plain import ClientText
    from llmblocks.lsp.wire.values import Location, Position, Range

Places: TypeAlias = "ClientText | Guest"
"""The client's places of a text, in a document or in the host that embeds it."""
SectionPlaces: TypeAlias = "Cursor | GuestSection"
"""The places of a section, in code points from its start. They stay as long as the key is the same."""
Encoding = Literal["utf-8", "utf-16", "utf-32"]
ENCODINGS: tuple[Encoding, ...] = ("utf-32", "utf-16", "utf-8")
"""The supported encodings, best first: UTF-32 needs no conversion."""

_LONE_RETURN = re.compile(r"\r(?!\n)")
_P = ParamSpec("_P")
_T = TypeVar("_T")


def units(text: str, encoding: Encoding) -> int:
    """Return the number of units in a text."""
    if encoding == "utf-32" or text.isascii():
        return len(text)
    if encoding == "utf-16":
        return len(text.encode("utf-16-le", "surrogatepass")) // 2
    return len(text.encode("utf-8", "surrogatepass"))


def code_points(text: str, count: int, encoding: Encoding) -> int:
    """Return the number of complete code points in the first `count` units."""
    if encoding == "utf-32" or text.isascii():
        return min(count, len(text))
    try:
        if encoding == "utf-16":
            return len(text.encode("utf-16-le")[: 2 * count].decode("utf-16-le", "ignore"))
        return len(text.encode("utf-8")[:count].decode("utf-8", "ignore"))
    except UnicodeEncodeError:
        return _code_points_one_by_one(text, count, encoding)


def _code_points_one_by_one(text: str, count: int, encoding: Encoding) -> int:
    """Count for lines with half of a surrogate pair, which codecs cut wrongly."""
    for index, character in enumerate(text):
        count -= units(character, encoding)
        if count < 0:
            return index
    return len(text)


def line_breaks(text: str, start: int, end: int, has_returns: bool) -> tuple[int, int]:
    """Return how many line breaks end after `start` and up to `end`, and the end of the last one, or `start`."""
    count = text.count("\n", start, end)
    last = text.rfind("\n", start, end) + 1 if count else start
    if has_returns:
        lone = [found.end() for found in _LONE_RETURN.finditer(text, start, end + 1) if found.end() <= end]
        count += len(lone)
        last = max([last, *lone[-1:]])
    return count, last


class Cursor:
    """The places of a section that begins at a line and column of the client.

    It moves forward, reading each character once for ascending offsets. Going back starts over.
    """

    __slots__ = ("_at", "_encoding", "_has_returns", "_place", "_start", "_text")

    def __init__(self, section: Section, encoding: Encoding, line: int = 0, column: int = 0) -> None:
        self._text = section.text
        self._has_returns = section.breaks > section.text.count("\n")
        self._encoding: Encoding = encoding
        self._start = self._place = line, column
        self._at = 0

    @property
    def key(self) -> object:
        return self._start, self._encoding

    def place(self, offset: int) -> Position:
        """Return the line and the character of a code point; between `\\r` and `\\n` it is before both."""
        line, character = self.position(offset)
        return {"line": line, "character": character}

    end = place

    def span(self, start: int, end: int) -> Range:
        """Return the range between two code points."""
        return {"start": self.place(start), "end": self.place(end)}

    def position(self, offset: int) -> tuple[int, int]:
        """Return the same as `place`, as two numbers."""
        text = self._text
        if offset and text[offset - 1 : offset + 1] == "\r\n":
            offset -= 1
        if offset < self._at:
            self._at, self._place = 0, self._start
        if offset > self._at:
            line, character = self._place
            breaks, last = line_breaks(text, self._at, offset, self._has_returns)
            self._place = line + breaks, units(text[last:offset], self._encoding) + (0 if breaks else character)
            self._at = offset
        return self._place


class Kept:
    """The last value of each part of a document. It is made again once the key differs."""

    __slots__ = ("_last",)

    def __init__(self, name: str) -> None:
        self._last: Query[Remembers, list[Any]] = Query(name, lambda _: [None, None])

    def __call__(self, part: Remembers, key: object, make: Callable[_P, _T], *given: _P.args, **named: _P.kwargs) -> _T:
        last = self._last(part)
        if last[0] != key:
            last[:] = key, make(*given, **named)
        found: _T = last[1]
        return found


def uri_of_file(file: str) -> str:
    """Return the URI of a file, given as a path or a URI."""
    return Path(file).as_uri() if os.path.isabs(file) else file


def located(place: Elsewhere, encoding: Encoding) -> Location:
    """Return a place in another file."""
    start: Position = {"line": place.line, "character": units(place.before, encoding)}
    # a lone return in a name ends a line
    *returns, last = place.text.split("\r")
    character = units(last, encoding) + (0 if returns else start["character"])
    end: Position = {"line": place.line + len(returns), "character": character}
    return {"uri": uri_of_file(place.file), "range": {"start": start, "end": end}}
