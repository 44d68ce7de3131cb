"""The other deltas of a model's stream: reasoning, tool calls, the end. Transforms pass them through unchanged."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


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
    """The stop reason and the usage. Of each, the last `Finish` that gives it counts."""

    stop_reason: str | None = None
    usage: Mapping[str, object] | None = None


ModelDelta = ReasoningDelta | ToolCallStart | ToolCallDelta | ToolCallEnd | ToolCall | Finish
