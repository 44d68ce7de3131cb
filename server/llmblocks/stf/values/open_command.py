"""Block commands and line commands: their data lines and values."""

from __future__ import annotations

import json
import re
from bisect import bisect_left, bisect_right
from collections.abc import Mapping
from functools import partial
from operator import itemgetter
from typing import cast

from llmblocks.json5.finite import once, refuse
from llmblocks.json5.reader import Read, read, read_value
from llmblocks.stf.rules import S106_INVALID_JSON5, S202_INVALID_RAW_MESSAGE, S204_INVALID_CALL_ARGUMENTS
from llmblocks.stf.syntax.arguments import Arguments, Find, LinePlace, repeated_keys
from llmblocks.stf.syntax.dialect import Command, EmbedType
from llmblocks.stf.values.messages import EmbedPart, Message, ToolCall
from llmblocks.stf.values.shape import PathPlaces, ShapeError, message_from_dict


class OpenCommand:
    """A block command or line command with its place and its valid arguments, and its body so far, of a `size`."""

    __slots__ = ("_ends", "_pieces", "_runs", "arguments", "command", "given", "place", "size")

    def __init__(self, command: Command, place: LinePlace, arguments: Arguments, given: Mapping[str, str]) -> None:
        self.command = command
        self.place = place
        self.arguments = arguments
        self.given = given
        self._pieces: list[str] = []
        self._runs: list[tuple[int, int, int]] = []
        """From an offset on, the body is the document's text from a place on a line."""
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
        if not self._runs or at - self._runs[-1][1] != self.size - self._runs[-1][0]:
            self._runs.append((self.size, at, line))
        self._pieces.append(fragment)
        self.size += len(fragment)

    def text(self) -> str:
        """Return the data lines, without comments and escapes."""
        return "".join(self._pieces)

    def place_in(self, text: str, start: int, end: int) -> LinePlace:
        """Return the place in the document of a part of the body."""
        if not self._runs:
            return self.place
        offset, at, line = self._run(start)
        last_offset, last_at, _ = self._run(max(start, end - 1))
        if self._ends is None:
            self._ends = [found.start() for found in re.finditer("\n", text)]
        line = line and line + bisect_left(self._ends, start) - bisect_left(self._ends, offset)
        return LinePlace(at + start - offset, last_at + end - last_offset, line)

    def _run(self, offset: int) -> tuple[int, int, int]:
        return self._runs[max(0, bisect_right(self._runs, offset, key=itemgetter(0)) - 1)]

    def read_json(self, report: Find) -> Read | None:
        """Return the JSON5 value of the body; for invalid JSON5, None and a finding."""
        result = read_value(self.text())
        if result.error is None:
            self._repeated_keys(result, report)
            return result
        data = {"case": "block", "error": result.error, "name": self.command.name}
        report(S106_INVALID_JSON5, self._error_place(result), data)
        return None

    def _repeated_keys(self, result: Read, report: Find) -> None:
        for each in repeated_keys(result.repeated, partial(self.place_in, self.text())):
            report(*each)

    def _error_place(self, result: Read) -> LinePlace:
        text = self.text()
        # a line end has no width in the text; in the document it may be two characters
        width = 0 if text[result.offset : result.offset + 1] in ("", "\n") else 1
        return self.place_in(text, result.offset, result.offset + width)

    def read_message(self, report: Find) -> Message | None:
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
                report(S202_INVALID_RAW_MESSAGE, place, {"misfit": message})
        return None

    def read_call(self, report: Find) -> ToolCall:
        """Return the call of `call`."""
        given = self.given
        return ToolCall(given.get("name", ""), self._call_arguments(report), given.get("id"), given.get("call_id"))

    def _call_arguments(self, report: Find) -> str:
        """Return the body, JSON5 as JSON and anything else unchanged; report a body that is not an object."""
        text = self.text()
        if _is_object(text, _STRICT_ONCE):
            return text
        result = read(text)
        if result.error is not None:
            data = {"case": "json5", "error": result.error}
            report(S204_INVALID_CALL_ARGUMENTS, self._error_place(result), data)
            return text
        self._repeated_keys(result, report)
        if result.repeated and _is_object(text, _STRICT):
            return text
        place = self.place_in(text, 0, len(text))
        try:
            compact = json.dumps(result.value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
        except ValueError:
            report(S204_INVALID_CALL_ARGUMENTS, place, {"case": "number"})
            return text
        if not isinstance(result.value, dict):
            report(S204_INVALID_CALL_ARGUMENTS, place)
        return compact

    def read_part(self) -> EmbedPart:
        """Return the part of `embed`; an unknown type becomes `file`."""
        given, known = self.given, ("type", "mime", "data", "url")
        more = {item.key: item.value for item in self.arguments.items if item.key not in known}
        for key in ("name", "format", "file_id"):
            if key not in given:
                more.pop(key, None)
        kind = cast("EmbedType", given.get("type", "file"))
        return EmbedPart(kind, self.text(), given.get("mime"), given.get("data"), more)


def _is_object(text: str, decoder: json.JSONDecoder) -> bool:
    try:
        return isinstance(decoder.decode(text), dict)
    except (ValueError, RecursionError):
        return False


# int() rejects more than 4300 digits, and here the values do not matter.
_STRICT = json.JSONDecoder(parse_constant=refuse, parse_int=float)
_STRICT_ONCE = json.JSONDecoder(parse_constant=refuse, parse_int=float, object_pairs_hook=once)
