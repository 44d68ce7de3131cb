"""Block commands: their data lines and values."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from functools import partial
from typing import Any, NamedTuple

from llmblocks.json5.reader import Read, read, read_value
from llmblocks.stf.rules import INVALID_JSON5, INVALID_RAW_MESSAGE
from llmblocks.stf.syntax.commands import Command
from llmblocks.stf.syntax.place import Finds, LinePlace, repeated_keys
from llmblocks.stf.values.messages import Message
from llmblocks.stf.values.shape import PathPlaces, ShapeError, message_from_dict


class _PlacedText(NamedTuple):
    """A part of a block's text: from `offset` on, it is the document's text from `at`, on line `line`."""

    offset: int
    at: int
    line: int


class OpenBlock:
    """An open block command."""

    __slots__ = ("_ends", "_has_line", "_length", "_pieces", "_runs", "command", "place")

    def __init__(self, command: Command, place: LinePlace) -> None:
        self.command = command
        self.place = place
        self._pieces: list[str] = []
        self._runs: list[_PlacedText] = []
        self._length = 0
        self._has_line = False
        self._ends: list[int] | None = None

    def __len__(self) -> int:
        return self._length

    def __bool__(self) -> bool:
        # open, even without text
        return True

    def add(self, fragment: str, at: int, line: int, begins_line: bool) -> None:
        """Add data; see `Assembler.text`."""
        if begins_line and self._has_line:
            self._pieces.append("\n")
            self._length += 1
        self._has_line = True
        # Comments, escapes and "\r\n" are in the document but not in the text of the block.
        if not self._runs or at - self._runs[-1].at != self._length - self._runs[-1].offset:
            self._runs.append(_PlacedText(self._length, at, line))
        self._pieces.append(fragment)
        self._length += len(fragment)

    def text(self) -> str:
        """Return the data lines, without comments and escapes."""
        return "".join(self._pieces)

    def place_in(self, text: str, start: int, end: int) -> LinePlace:
        """Return the place in the document of a part of the block's text."""
        if not self._runs:
            return self.place
        first, last = self._run(start), self._run(max(start, end - 1))
        line = first.line and first.line + self._lines(text, first.offset, start)
        return LinePlace(first.at + start - first.offset, last.at + end - last.offset, line)

    def _lines(self, text: str, start: int, end: int) -> int:
        if self._ends is None:
            self._ends = [found.start() for found in re.finditer("\n", text)]
        return bisect_left(self._ends, end) - bisect_left(self._ends, start)

    def _run(self, offset: int) -> _PlacedText:
        return self._runs[max(0, bisect_right(self._runs, offset, key=lambda run: run.offset) - 1)]

    def read_json(self, report: Finds, quietly: bool = False) -> Read | None:
        """Return the JSON5 value of the block; for invalid JSON5, None and a finding."""
        text = self.text()
        result = read_value(text)
        if result.error is None:
            for each in () if quietly else repeated_keys(result.repeated, partial(self.place_in, text)):
                report.find(*each)
            return result
        if not quietly:
            # a line end has no width in the text; in the document it may be two characters
            width = 0 if text[result.offset : result.offset + 1] in ("", "\n") else 1
            place = self.place_in(text, result.offset, result.offset + width)
            report.find(INVALID_JSON5, place, {"case": "block", "error": result.error, "name": self.command.name})
        return None

    def read_message(self, report: Finds, quietly: bool = False) -> Message | None:
        """Return the message of a raw block; for an invalid message, None and findings."""
        result = self.read_json(report, quietly)
        if result is None:
            return None
        try:
            return message_from_dict(result.value)
        except ShapeError as error:
            if not quietly:
                text = self.text()
                node = read(text).node
                places = None if node is None else PathPlaces(node)
                for path, message in error.misfits:
                    place = self.place_in(text, *((0, 0) if places is None else places.of(path)))
                    report.find(INVALID_RAW_MESSAGE, place, {"misfit": message})
        return None


def merged(old: Any, new: Any) -> Any:
    """Merge two objects, key by key at the top level; any other value replaces the old one."""
    return {**old, **new} if isinstance(old, dict) and isinstance(new, dict) else new
