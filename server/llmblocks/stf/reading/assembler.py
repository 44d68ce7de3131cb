"""The messages of a text: an assembler that collects them or reports them as events, and these events."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from llmblocks.core.places import Related
from llmblocks.facts.problem import Problem
from llmblocks.facts.rule import NO_DATA, Rule
from llmblocks.stf.syntax.arguments import LinePlace
from llmblocks.stf.values.messages import EmbedPart, Json, Message, Part, StfFinding, TextPart, ToolCall, finding_of


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
        self.problems: list[Problem] = []
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
            self.problems.append(problem)
        else:
            self.events.append(Found(finding_of(problem, place.line, problem.message)))

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
