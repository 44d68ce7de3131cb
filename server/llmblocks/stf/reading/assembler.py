"""The assembly of messages from lines, shared by the decoder and the stream."""

from __future__ import annotations

from collections.abc import Mapping

from llmblocks.core.places import Related
from llmblocks.facts.problem import Problem
from llmblocks.facts.rule import NO_DATA, Rule
from llmblocks.stf.reading.commands import CommandReader, WaitingCommand
from llmblocks.stf.reading.events import (
    Called,
    ContentDelta,
    Embedded,
    Event,
    Found,
    MessageEnded,
    MessageStarted,
    MetadataChanged,
)
from llmblocks.stf.reading.open_message import OpenMessage, embed_part, tool_call
from llmblocks.stf.syntax.arguments import LinePlace
from llmblocks.stf.syntax.dialect import Dialect
from llmblocks.stf.syntax.problems import finding_of
from llmblocks.stf.values.block import OpenBlock, merged
from llmblocks.stf.values.messages import Message, TextPart


class Assembler(CommandReader):
    """Builds messages, metadata and problems. If `events` is a list, events are appended to it, and nothing is kept."""

    def __init__(self, dialect: Dialect, default_role: str | None, events: list[Event] | None = None) -> None:
        super().__init__(dialect, default_role)
        self.events = events
        self.problems: list[Problem] = []
        self.messages: list[Message] = []
        self.metadata: object = None
        self.null_metadata = False
        self.open: OpenMessage | None = None

    def find(
        self, rule: Rule, place: LinePlace, data: Mapping[str, object] = NO_DATA, related: tuple[Related, ...] = ()
    ) -> None:
        """See `CommandReader`."""
        problem = Problem(rule, place.start, place.end, data, related)
        if self.events is None:
            self.problems.append(problem)
        else:
            self.events.append(Found(finding_of(problem, place.line, problem.message)))

    def emit(self, event: Event) -> None:
        """Report an event."""
        if self.events is not None:
            self.events.append(event)

    def start_message(self, role: str, given: Mapping[str, str]) -> None:
        """See `CommandReader`."""
        self.role = role
        message = (
            Message(role, "", given.get("id"), given.get("name"), given.get("call_id")) if given else Message(role)
        )
        self.open = OpenMessage(message)
        if self.events is None:
            self.messages.append(message)
        else:
            self.events.append(MessageStarted(message.role, message.id, message.name, message.call_id))

    def end_message(self) -> None:
        """See `CommandReader`."""
        if self.open is not None:
            message = self.open.close()
            self.open = None
            self.emit(MessageEnded(message))
        super().end_message()

    def content(self, fragment: str, begins_line: bool) -> None:
        """See `CommandReader`."""
        message = self.open
        assert message is not None, "it has a role"
        if begins_line:
            if message.has_line:
                fragment = "\n" + fragment
            message.has_line = True
        if fragment:
            message.pieces.append(fragment)
            if self.events is not None:
                self.events.append(ContentDelta(fragment))

    def break_text(self) -> None:
        """See `CommandReader`."""
        if self.open is not None:
            self.open.has_line = False

    def call(self, waiting: WaitingCommand, text: str, place: LinePlace) -> None:
        """See `CommandReader`."""
        call = tool_call(waiting, text, place, self)
        if self.open is not None:
            self.open.calls.append(call)
        self.emit(Called(call))

    def embed(self, waiting: WaitingCommand, text: str) -> None:
        """See `CommandReader`."""
        part = embed_part(waiting, text)
        if self.open is not None:
            self.open.embed(part)
        self.emit(Embedded(part))

    def read_block(self, block: OpenBlock, quietly: bool) -> None:
        """See `CommandReader`."""
        if block.command.canonical == "raw":
            message = block.read_message(self, quietly)
            if message is not None:
                self._whole_message(message)
            return
        result = block.read_json(self, quietly)
        if result is None:
            return
        if self.open is not None and block.command.canonical == "extra":
            self.open.set_extra(result.value)
        else:
            self.metadata = merged(self.metadata, result.value)
            self.null_metadata = self.metadata is None
            self.emit(MetadataChanged(self.metadata))

    def _whole_message(self, message: Message) -> None:
        """Add a complete message."""
        if self.events is None:
            self.messages.append(message)
            return
        self.emit(MessageStarted(message.role, message.id, message.name, message.call_id))
        for part in [TextPart(message.content)] if isinstance(message.content, str) else message.content:
            if not isinstance(part, TextPart):
                self.emit(Embedded(part))
            elif part.text:
                self.emit(ContentDelta(part.text))
        for call in message.tool_calls or ():
            self.emit(Called(call))
        self.emit(MessageEnded(message))
