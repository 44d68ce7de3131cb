"""The values read from a text: open commands, the messages that an assembler builds, and their events."""

from __future__ import annotations

import json
import re
from bisect import bisect_left, bisect_right
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from operator import itemgetter
from typing import TypeAlias, cast

from llmblocks.core.places import Related
from llmblocks.facts.message import FindingMessage
from llmblocks.facts.problem import Problem
from llmblocks.facts.rule import NO_DATA, Rule
from llmblocks.json5.finite import once, refuse
from llmblocks.json5.reader import Read, read, read_value
from llmblocks.stf.rules import S106_INVALID_JSON5, S202_INVALID_RAW_MESSAGE, S204_INVALID_CALL_ARGUMENTS
from llmblocks.stf.syntax import Arguments, Command, EmbedType, Find, LinePlace, repeated_keys
from llmblocks.stf.values.messages import EmbedPart, Json, Message, Part, StfFinding, TextPart, ToolCall, finding_of
from llmblocks.stf.values.shape import PathPlaces, ShapeError, message_from_dict


@dataclass(slots=True)
class MessageStarted:
    """A message begins. The following events belong to it until it ends."""

    role: str
    id: str | None = None
    name: str | None = None
    call_id: str | None = None


@dataclass(slots=True)
class ContentDelta:
    """The next piece of the message's text. The deltas of a message add up to `Message.text`."""

    delta: str


@dataclass(slots=True)
class Called:
    """The message calls a tool."""

    call: ToolCall


@dataclass(slots=True)
class Embedded:
    """The message embeds a resource."""

    part: EmbedPart


@dataclass(slots=True)
class MetadataChanged:
    """The complete metadata of the transcript so far."""

    metadata: Json


@dataclass(slots=True)
class MessageEnded:
    """The message is complete."""

    message: Message


@dataclass(slots=True)
class Found:
    """A finding in the text."""

    finding: StfFinding


Event: TypeAlias = MessageStarted | ContentDelta | Called | Embedded | MetadataChanged | MessageEnded | Found
"""An event of an `StfStream`."""


class Assembler:
    """Builds messages, metadata and problems; or appends them to `events` as they come, and keeps none."""

    def __init__(self, events: list[Event] | None = None) -> None:
        self.events = events
        self.problems: list[tuple[Problem, int]] = []
        """The problems, each with the number of its line."""
        self._messages: dict[tuple[object, ...], FindingMessage] = {}
        self.messages: list[Message] = []
        self.metadata: object = None
        self.null_metadata = False
        self.message: Message | None = None
        self.pieces: list[str] = []
        self._parts: list[Part] = []
        self._has_line = False
        """Whether the text since the last break has a line, so that the next line needs a newline."""

    def find(
        self, rule: Rule, place: LinePlace, data: Mapping[str, object] = NO_DATA, related: tuple[Related, ...] = ()
    ) -> None:
        """Report a problem."""
        problem = Problem(rule, place.start, place.end, data, related)
        if self.events is None:
            self.problems.append((problem, place.line))
        else:
            self.events.append(Found(finding_of(problem, place.line, self._messages)))

    def findings(self) -> tuple[StfFinding, ...]:
        """Return the findings of all problems."""
        return tuple([finding_of(problem, line, self._messages) for problem, line in self.problems])

    def _emit(self, event: Event) -> None:
        if self.events is not None:
            self.events.append(event)

    def _begin(self, message: Message) -> None:
        if self.events is None:
            self.messages.append(message)
        else:
            self.events.append(MessageStarted(message.role, message.id, message.name, message.call_id))

    def start(self, message: Message) -> None:
        """Begin a message."""
        self.message, self.pieces, self._parts, self._has_line = message, [], [], False
        self._begin(message)

    def end(self) -> None:
        """End the open message, if there is one."""
        message, self.message = self.message, None
        if message is not None:
            message.content = "".join(self.pieces)
            if self._parts:
                self._end_text()
                message.content = self._parts
            self._emit(MessageEnded(message))

    def content(self, fragment: str, begins_line: bool) -> None:
        """Add text to the open message."""
        if begins_line:
            if self._has_line:
                fragment = "\n" + fragment
            self._has_line = True
        if fragment:
            self.pieces.append(fragment)
            if self.events is not None:
                self.events.append(ContentDelta(fragment))

    def break_text(self) -> None:
        """Join the text before and after a block without a newline."""
        self._has_line = False

    def call(self, call: ToolCall) -> None:
        """Add a call to the open message."""
        if self.message is not None:
            if self.message.tool_calls is None:
                self.message.tool_calls = []
            self.message.tool_calls.append(call)
            self._emit(Called(call))

    def embed(self, part: EmbedPart) -> None:
        """Add a resource to the open message; text after it is a new part."""
        self._end_text()
        self._parts.append(part)
        self._has_line = False
        self._emit(Embedded(part))

    def _end_text(self) -> None:
        # A blank line next to an embed is layout, not a part.
        if text := "".join(self.pieces):
            self._parts.append(TextPart(text))
        self.pieces = []

    def set_extra(self, value: Json) -> None:
        """Set `extra` of the open message."""
        if self.message is not None:
            self.message.extra = value = _merged(self.message.extra, value)
            self.message.more = {"extra": None} if value is None else None

    def set_metadata(self, value: Json) -> None:
        """Set the metadata of the transcript."""
        self.metadata = _merged(self.metadata, value)
        self.null_metadata = self.metadata is None
        self._emit(MetadataChanged(self.metadata))

    def whole(self, message: Message) -> None:
        """Add a complete message."""
        self._begin(message)
        for part in [TextPart(message.content)] if isinstance(message.content, str) else message.content:
            if not isinstance(part, TextPart):
                self._emit(Embedded(part))
            elif part.text:
                self._emit(ContentDelta(part.text))
        for call in message.tool_calls or ():
            self._emit(Called(call))
        self._emit(MessageEnded(message))


def _merged(old: Json, new: Json) -> Json:
    """Merge two objects, key by key at the top level; any other value replaces the old one."""
    return {**old, **new} if isinstance(old, dict) and isinstance(new, dict) else new


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
        line += bisect_left(self._ends, start) - bisect_left(self._ends, offset)
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
        if (result := self.read_json(report)) is None:
            return None
        try:
            return message_from_dict(result.value)
        except ShapeError as error:
            text = self.text()
            node, places = read(text).node, PathPlaces()
            for path, message in error.misfits:
                place = self.place_in(text, *((0, 0) if node is None else places.of(node, path)))
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
        for key in {"name", "format", "file_id"} - given.keys():
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
