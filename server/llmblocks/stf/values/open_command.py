"""Block commands and line commands: their data lines and values."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Mapping
from functools import partial
from typing import NamedTuple

from llmblocks.json5.reader import Read, read, read_value
from llmblocks.stf.rules import S106_INVALID_JSON5, S202_INVALID_RAW_MESSAGE
from llmblocks.stf.syntax.arguments import Arguments, Finds, LinePlace, repeated_keys
from llmblocks.stf.syntax.dialect import Command
from llmblocks.stf.values.messages import Message
from llmblocks.stf.values.shape import PathPlaces, ShapeError, message_from_dict


class _PlacedText(NamedTuple):
    """A part of a body: from `offset` on, it is the document's text from `at`, on line `line`."""

    offset: int
    at: int
    line: int


class OpenCommand:
    """A block command or line command, and its body so far.

    Attributes:
        command: The command.
        place: The place of its name.
        arguments: Its arguments.
        given: Those that are valid.
        size: The length of the body.
    """

    __slots__ = ("_ends", "_pieces", "_runs", "arguments", "command", "given", "place", "size")

    def __init__(self, command: Command, place: LinePlace, arguments: Arguments, given: Mapping[str, str]) -> None:
        self.command = command
        self.place = place
        self.arguments = arguments
        self.given = given
        self._pieces: list[str] = []
        self._runs: list[_PlacedText] = []
        self.size = 0
        self._ends: list[int] | None = None

    @property
    def has_line(self) -> bool:
        """Whether the body has a line, even an empty one."""
        return bool(self._runs)

    def add(self, fragment: str, at: int, line: int, begins_line: bool) -> None:
        """Add data to the body; see `CommandReader.text`."""
        if begins_line and self._runs:
            self._pieces.append("\n")
            self.size += 1
        # Comments, escapes and "\r\n" are in the document but not in the body.
        if not self._runs or at - self._runs[-1].at != self.size - self._runs[-1].offset:
            self._runs.append(_PlacedText(self.size, at, line))
        self._pieces.append(fragment)
        self.size += len(fragment)

    def text(self) -> str:
        """Return the data lines, without comments and escapes."""
        return "".join(self._pieces)

    def place_in(self, text: str, start: int, end: int) -> LinePlace:
        """Return the place in the document of a part of the body."""
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

    def read_json(self, report: Finds) -> Read | None:
        """Return the JSON5 value of the body; for invalid JSON5, None and a finding."""
        text = self.text()
        result = read_value(text)
        if result.error is None:
            for each in repeated_keys(result.repeated, partial(self.place_in, text)):
                report.find(*each)
            return result
        # a line end has no width in the text; in the document it may be two characters
        width = 0 if text[result.offset : result.offset + 1] in ("", "\n") else 1
        place = self.place_in(text, result.offset, result.offset + width)
        report.find(S106_INVALID_JSON5, place, {"case": "block", "error": result.error, "name": self.command.name})
        return None

    def read_message(self, report: Finds) -> Message | None:
        """Return the message of a raw block; for an invalid message, None and findings."""
        result = self.read_json(report)
        if result is None:
            return None
        try:
            return message_from_dict(result.value)
        except ShapeError as error:
            text = self.text()
            node = read(text).node
            places = None if node is None else PathPlaces(node)
            for path, message in error.misfits:
                place = self.place_in(text, *((0, 0) if places is None else places.of(path)))
                report.find(S202_INVALID_RAW_MESSAGE, place, {"misfit": message})
        return None
