"""The events of a message, besides its deltas."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from llmblocks.tags.pipeline.model_deltas import ModelDelta
from llmblocks.tags.reading.deltas import CustomBlockEvent

if TYPE_CHECKING:
    from llmblocks.tags.pipeline.content import Message


@dataclass(slots=True)
class MessageStart:
    """The first event of a stream."""


@dataclass(slots=True)
class ContentStart:
    """A text block begins. Shape: `index` is its index in the message's content."""

    index: int


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
    """The provider failed; the message has everything that had arrived."""

    error: Exception


@dataclass(slots=True)
class MessageEnd:
    """The last event of a stream. Shape: `stop_reason` is the provider's, or "error", or "cancelled"."""

    message: Message
    stop_reason: str | None


MessageEvent = MessageStart | ContentStart | ContentDelta | ContentEnd | StreamFailed | MessageEnd
StreamEvent = MessageEvent | CustomBlockEvent | ModelDelta
"""The events of an `Accumulator`; a delta of any other class is an event itself."""
