"""String literals of Python, TypeScript and JavaScript: reading and writing their text."""

from __future__ import annotations

import re
from ast import literal_eval
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from llmblocks.hosts.embedded import Segment

_LINE_END: Final = r"\r\n|\r|\n"
_PYTHON: Final = re.compile(
    rf"\\(?:{_LINE_END}|[0-7]{{1,3}}|x[\da-fA-F]{{2}}|u[\da-fA-F]{{4}}|U[\da-fA-F]{{8}}|N\{{[^}}]+\}}|[\\'\"abfnrtvxuUN])|\r\n?"
)
_PAIR: Final = r"u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}"
_SCRIPT: Final = re.compile(
    rf"\\(?:{_LINE_END}|{_PAIR}|x[\da-fA-F]{{2}}|u[\da-fA-F]{{4}}|u\{{[\da-fA-F]+\}}|[^\r\n])|\r\n?"
)
_RAW: Final = re.compile(r"\r\n?")
_BRACES: Final = re.compile(r"\{\{|\}\}")
_CODE_POINT: Final = re.compile(r"\\u\{([\da-fA-F]+)\}")
_WRITTEN: Final = {"\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
_HALF = re.compile("[\ud800-\udfff]")


Hole = tuple[int, int]
"""The place of a placeholder in the host."""


class Form(NamedTuple):
    """The syntax of a literal.

    Attributes:
        quote: Begins and ends it.
        raw: A backslash is text.
        braces: The braces of a format string are doubled.
    """

    quote: str
    raw: bool = False
    braces: bool = False
    python: bool = False

    @property
    def has_lines(self) -> bool:
        """Whether it can contain line ends."""
        return self.quote == "`" or len(self.quote) == 3

    def segments(self, text: str, start: int, end: int, holes: Sequence[tuple[Hole, str]]) -> tuple[Segment, ...]:
        """Return the parts of the literal whose content is at a place; raise `ValueError` for an invalid escape.

        `holes` have a text for each placeholder.
        """
        found: list[Segment] = []
        size = 0
        for first, last, inner in self._parts(text, start, end, holes):
            if first < last:
                found.append(Segment(first, last, size, inner))
                size += len(inner)
        return (*found,) or (Segment(start, start, 0, ""),)

    def written(self, text: str, new: str) -> str:
        """Return a text as written in the literal, with the line ends of the host `text`."""
        if self.braces:
            new = new.replace("{", "{{").replace("}", "}}")
        if not self.raw:
            new = "".join([self._character(each) for each in new])
        return new.replace("\n", "\r\n") if self.has_lines and "\r\n" in text else new

    def _character(self, char: str) -> str:
        if char == "\n" and self.has_lines:
            return char
        if char == self.quote[0] or (char == "$" and self.quote == "`"):
            return f"\\{char}"
        return _WRITTEN.get(char, char)

    def _parts(
        self, text: str, start: int, end: int, holes: Sequence[tuple[Hole, str]]
    ) -> Iterator[tuple[int, int, str]]:
        for hole, stands in holes:
            yield from self._plain(text, start, hole[0])
            yield *hole, stands
            start = hole[1]
        yield from self._plain(text, start, end)

    def _plain(self, text: str, start: int, end: int) -> Iterator[tuple[int, int, str]]:
        escapes = _RAW if self.raw else _PYTHON if self.python else _SCRIPT
        found = [*escapes.finditer(text, start, end)]
        if self.braces:
            taken = {place for each in found for place in range(each.start(), each.end())}
            found += [each for each in _BRACES.finditer(text, start, end) if each.start() not in taken]
            found.sort(key=lambda each: each.start())
        for escape in found:
            yield start, escape.start(), text[start : escape.start()]
            yield *escape.span(), self._meaning(escape[0])
            start = escape.end()
        yield start, end, text[start:end]

    def _meaning(self, escape: str) -> str:
        if escape[0] == "\r":
            return "\n"
        if escape[0] in "{}":
            return escape[0]
        if escape[1] in "\r\n":
            return ""
        if not self.python:
            if escape[1] not in "0bfnrtvxu":
                return escape[1:]
            escape = _CODE_POINT.sub(lambda found: f"\\U{int(found[1], 16):08x}", escape)
        try:
            meaning = str(literal_eval(f'"{escape}"'))
        except SyntaxError as error:
            raise ValueError(str(error)) from None
        # two halves are one character
        joined = meaning.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
        return _HALF.sub("\ufffd", joined)
