"""What else a model's stream is made of, besides text and custom blocks. Transforms pass these through untouched."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(slots=True)
class ReasoningDelta:
    """Reasoning text, only what is new."""

    delta: str


@dataclass(slots=True)
class ToolCallStart:
    """A native tool call begins; `ToolCallDelta`s with its arguments follow, then a `ToolCallEnd`."""

    id: str
    name: str


@dataclass(slots=True)
class ToolCallDelta:
    """More of a tool call's arguments, as JSON text, only what is new."""

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
    """Why the model stopped, and what it used; each is kept from the last `Finish` that tells it."""

    stop_reason: str | None = None
    usage: Mapping[str, object] | None = None


ModelDelta = ReasoningDelta | ToolCallStart | ToolCallDelta | ToolCallEnd | ToolCall | Finish
