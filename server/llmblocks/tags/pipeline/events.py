"""The events of a message besides its text and blocks, and the deltas of a model that pass through unchanged."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from llmblocks.tags.deltas import CustomBlockEvent

if TYPE_CHECKING:
    from llmblocks.tags.pipeline.content import Message


@dataclass(slots=True)
class ReasoningDelta:
    """The next piece of reasoning text."""

    delta: str


@dataclass(slots=True)
class ToolCallStart:
    """The start of a native tool call; `ToolCallDelta`s with its arguments follow, then a `ToolCallEnd`."""

    id: str
    name: str


@dataclass(slots=True)
class ToolCallDelta:
    """The next piece of a tool call's arguments, as JSON text."""

    id: str
    delta: str


@dataclass(slots=True)
class ToolCallEnd:
    """The arguments of a tool call are complete."""

    id: str


@dataclass(slots=True)
class ToolCall:
    """A complete tool call, from a provider that does not stream its arguments."""

    id: str
    name: str
    input: object


@dataclass(slots=True)
class Finish:
    """The stop reason and the usage. The last `Finish` with each counts."""

    stop_reason: str | None = None
    usage: Mapping[str, object] | None = None


ModelDelta = ReasoningDelta | ToolCallStart | ToolCallDelta | ToolCallEnd | ToolCall | Finish
"""A delta that an adapter makes from a provider's chunk, besides text."""


@dataclass(slots=True)
class MessageStart:
    """The first event of a stream."""


@dataclass(slots=True)
class ContentStart:
    """A text block begins."""

    index: int
    """Its index in the message's content."""


@dataclass(slots=True)
class ContentDelta:
    """The next piece of the text block."""

    index: int
    delta: str


@dataclass(slots=True)
class ContentEnd:
    """The text block is complete."""

    index: int
    text: str


@dataclass(slots=True)
class StreamFailed:
    """The provider failed. The message contains everything that arrived before."""

    error: Exception


@dataclass(slots=True)
class MessageEnd:
    """The last event of a stream."""

    message: Message
    stop_reason: str | None
    """The provider's, or "error", or "cancelled"."""


MessageEvent = MessageStart | ContentStart | ContentDelta | ContentEnd | StreamFailed | MessageEnd
StreamEvent = MessageEvent | CustomBlockEvent | ModelDelta
"""The events of an `Accumulator`; a delta of any other class is an event itself."""
