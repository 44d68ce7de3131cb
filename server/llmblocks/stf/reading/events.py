"""What a stream of Simple Text Format says as it reads."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from llmblocks.stf.syntax.problems import StfFinding
from llmblocks.stf.values.messages import EmbedPart, Json, Message, ToolCall


@dataclass(slots=True)
class MessageStarted:
    """A message begins; what follows belongs to it until it ends."""

    role: str
    id: str | None = None
    name: str | None = None
    call_id: str | None = None


@dataclass(slots=True)
class ContentDelta:
    """More text of the content of the message. The deltas of a message add up to `Message.text`."""

    delta: str


@dataclass(slots=True)
class Called:
    """The message calls a tool."""

    call: ToolCall


@dataclass(slots=True)
class Embedded:
    """The content of the message goes on with a resource."""

    part: EmbedPart


@dataclass(slots=True)
class MetadataChanged:
    """The transcript has this metadata now: all of it, not only what is new."""

    metadata: Json


@dataclass(slots=True)
class MessageEnded:
    """The message is complete."""

    message: Message


@dataclass(slots=True)
class Found:
    """Something is wrong with the text."""

    finding: StfFinding


Event: TypeAlias = MessageStarted | ContentDelta | Called | Embedded | MetadataChanged | MessageEnded | Found
