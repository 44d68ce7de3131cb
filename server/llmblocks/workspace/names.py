"""The names of a file whose text is not kept."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import Protocol

from llmblocks.core.document import scanned
from llmblocks.core.places import Elsewhere
from llmblocks.core.scan import Scanner
from llmblocks.core.section import Section
from llmblocks.core.symbol import Role, Symbol

STEP = 1 << 16
"""The number of code points that a step reads, and then the rest of the line."""


class FileNames(Protocol):
    """The names of a file, open or not."""

    def kinds(self) -> Collection[tuple[Role, str]]:
        """Return the roles and kinds of its symbols."""

    def names(self, role: Role, kind: str) -> Collection[str]:
        """Return all defined or referenced names of a kind, unordered."""

    def places(self, role: Role, kind: str, name: str) -> Sequence[Elsewhere]:
        """Return the places of a name, in order."""


class StoredNames:
    """The names of a file that is not open.

    Only the lines with names are kept of its text. `stamp` changes with the file.
    """

    __slots__ = ("_file", "_lines", "_rows", "stamp")

    def __init__(self, file: str, stamp: tuple[int, int] = (0, 0)) -> None:
        self.stamp = stamp
        self._file = file
        self._rows: dict[tuple[Role, str], dict[str, list[tuple[int, int, int]]]] = {}
        self._lines: list[tuple[int, int, str]] = []

    def kinds(self) -> Collection[tuple[Role, str]]:
        return self._rows.keys()

    def names(self, role: Role, kind: str) -> Collection[str]:
        return self._rows.get((role, kind), {}).keys()

    def places(self, role: Role, kind: str, name: str) -> list[Elsewhere]:
        found = []
        for start, end, number in self._rows.get((role, kind), {}).get(name, ()):
            line, line_start, text = self._lines[number]
            before, at = text[: start - line_start], text[start - line_start : end - line_start]
            found.append(Elsewhere(self._file, start, line, before, at))
        return found

    def read(self, text: str, scanner: Scanner, symbols: Callable[[Section], Iterable[Symbol]]) -> Iterator[None]:
        """Read the names of a text in steps."""
        at, state, size = 0, scanner.initial, len(text)
        lines = LineCounter(text)
        while at < size:
            stop = text.find("\n", at + STEP) + 1 or size
            sections, _ = scanned(scanner, text[at:stop], state, final=stop == size)
            for section in sections:
                for symbol in symbols(section):
                    self._put(symbol, at, lines)
                at, state = at + section.length, section.after
            yield
        self._lines = lines.kept()

    def _put(self, symbol: Symbol, at: int, lines: LineCounter) -> None:
        role, kind, name, start, end = symbol
        if role != "boundary":
            number = lines.number(at + start, at + end)
            self._rows.setdefault((role, kind), {}).setdefault(name, []).append((at + start, at + end, number))


class LineCounter:
    """Counts the lines of a text at ascending places, reading each character once."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._returns = "\r" in text
        self._at = self._line = self._start = 0
        self._found: list[tuple[int, int, int]] = []

    def number(self, start: int, end: int) -> int:
        """Return the index of the line of a place among all requested lines."""
        if start > self._at:
            self._move_to(start)
        found = self._found
        if not found or found[-1][1] != self._start:
            found.append((self._line, self._start, end))
        elif end > found[-1][2]:
            found[-1] = (*found[-1][:2], end)
        return len(found) - 1

    def kept(self) -> list[tuple[int, int, str]]:
        """Return the number, the start, and the text up to its last place, for each line."""
        return [(line, start, self._text[start:end]) for line, start, end in self._found]

    def _move_to(self, place: int) -> None:
        text, at = self._text, self._at
        breaks, last = text.count("\n", at, place), text.rfind("\n", at, place)
        if self._returns:
            # a return before a newline does not end a line, wherever the place is
            breaks += text.count("\r", at, place) - text.count("\r\n", at, place + 1)
            lone = text.rfind("\r", at, place)
            if lone == place - 1 and text.startswith("\n", place):
                lone = text.rfind("\r", at, lone)
            last = max(last, lone)
        if breaks:
            self._line += breaks
            self._start = last + 1
        self._at = place
