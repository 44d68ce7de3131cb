"""The events of a Simple Text Format stream."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from llmblocks.stf.syntax.problems import StfFinding
from llmblocks.stf.values.messages import EmbedPart, Json, Message, ToolCall


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
