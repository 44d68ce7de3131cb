"""Deltas to stream events, and to the message that they make up."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from llmblocks.tags.pipeline.model_deltas import (
    Finish,
    ReasoningDelta,
    ToolCall,
    ToolCallDelta,
    ToolCallEnd,
    ToolCallStart,
)
from llmblocks.tags.reading.deltas import CustomBlock, TextDelta

if TYPE_CHECKING:
    from llmblocks.tags.pipeline.content import Message


@dataclass(slots=True)
class MessageStart:
    """The first event of a stream."""


@dataclass(slots=True)
class ContentStart:
    """A text block begins. Shape: `index` is its place in the message's content."""

    index: int


@dataclass(slots=True)
class ContentDelta:
    """More of the text block, only what is new."""

    index: int
    delta: str


@dataclass(slots=True)
class ContentEnd:
    """The text block is complete."""

    index: int
    text: str


@dataclass(slots=True)
class StreamFailed:
    """The provider failed; what had arrived before is in the message."""

    error: Exception


@dataclass(slots=True)
class MessageEnd:
    """The last event of a stream. Shape: `stop_reason` is the provider's, or "error", or "cancelled"."""

    message: Message
    stop_reason: str | None


class Accumulator:
    """Collects what a pipeline emits.

    Shape: `push(delta)` returns the stream events of a delta: text as `ContentStart`, `ContentDelta`, `ContentEnd`,
           with a `MessageStart` before everything; any other delta is an event itself. `close()` returns the last
           ones. `message` is what there is so far, at any time.
    """

    __slots__ = ("_calls", "_content", "_open_calls", "_reasoning", "_started", "_stop_reason", "_text", "_usage")

    def __init__(self) -> None:
        # Texts and custom blocks, in their order; the open text is in _text.
        self._content: list[str | CustomBlock] = []
        self._text: list[str] = []
        self._reasoning: list[str] = []
        self._open_calls: dict[str, tuple[str, list[str]]] = {}
        self._calls: list[ToolCall] = []
        self._stop_reason: str | None = None
        self._usage: Mapping[str, object] | None = None
        self._started = False

    def push(self, delta: object) -> list[object]:
        """Take one delta; return its stream events."""
        events: list[object] = []
        if not self._started:
            self._started = True
            events.append(MessageStart())
        if isinstance(delta, TextDelta):
            if delta.delta:
                if not self._text:
                    events.append(ContentStart(len(self._content)))
                self._text.append(delta.delta)
                events.append(ContentDelta(len(self._content), delta.delta))
            return events
        if isinstance(delta, CustomBlock):
            events += self._end_text()
            self._content.append(delta)
        elif isinstance(delta, ReasoningDelta):
            self._reasoning.append(delta.delta)
        elif isinstance(delta, ToolCallStart):
            self._open_calls[delta.id] = (delta.name, [])
        elif isinstance(delta, ToolCallDelta):
            if delta.id in self._open_calls:
                self._open_calls[delta.id][1].append(delta.delta)
        elif isinstance(delta, ToolCallEnd):
            if delta.id in self._open_calls:
                name, parts = self._open_calls.pop(delta.id)
                self._calls.append(ToolCall(delta.id, name, _parsed("".join(parts))))
        elif isinstance(delta, ToolCall):
            self._calls.append(delta)
        elif isinstance(delta, Finish):
            self._stop_reason = delta.stop_reason or self._stop_reason
            self._usage = delta.usage or self._usage
        events.append(delta)
        return events

    def close(self, stop_reason: str | None = None, error: Exception | None = None) -> list[object]:
        """End the message. Shape: `stop_reason` takes the place of the provider's."""
        events: list[object] = [] if self._started else [MessageStart()]
        self._started = True
        events += self._end_text()
        if error is not None:
            events.append(StreamFailed(error))
        self._stop_reason = stop_reason or self._stop_reason
        events.append(MessageEnd(self.message, self._stop_reason))
        return events

    @property
    def message(self) -> Message:
        """The message so far. A tool call whose arguments are not complete is not in it."""
        from llmblocks.tags.pipeline.content import CustomContentBlock, Message, TextBlock, ToolCallBlock

        content: list[TextBlock | CustomContentBlock] = []
        for part in [*self._content, "".join(self._text)]:
            if isinstance(part, CustomBlock):
                block = CustomContentBlock(
                    tag=part.tag, content=part.content, attrs=part.attrs, self_closing=part.self_closing
                )
                content.append(block)
            elif part:
                content.append(TextBlock(text=part))
        return Message(
            content=tuple(content),
            reasoning="".join(self._reasoning),
            tool_calls=tuple(ToolCallBlock(id=call.id, name=call.name, input=call.input) for call in self._calls),
            stop_reason=self._stop_reason,
            usage=None if self._usage is None else dict(self._usage),
        )

    def _end_text(self) -> list[object]:
        if not self._text:
            return []
        text = "".join(self._text)
        self._text = []
        self._content.append(text)
        return [ContentEnd(len(self._content) - 1, text)]


def _parsed(arguments: str) -> object:
    try:
        return json.loads(arguments) if arguments else {}
    except ValueError:
        return arguments
