"""The deltas of a pipeline: text, custom blocks, and those of a model, which pass through unchanged.

Every chunk creates some, so they are plain slotted classes: freezing would double the cost. Do not modify them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


def need_callables(owner: object, *names: str) -> None:
    """Raise `ValueError` for an attribute with one of these names that is neither callable nor `None`."""
    for name in names:
        function = getattr(owner, name)
        if function is not None and not callable(function):
            raise ValueError(f"{name} of {type(owner).__name__} is {shown(function)}: give a function")


def need_mapping(owner: str, given: object, example: str) -> None:
    """Raise `ValueError` for anything but a mapping, and for a key that is not a `str`."""
    if not isinstance(given, Mapping):
        raise ValueError(f"{owner} takes a mapping by name, not {shown(given)}: give {example}")
    for name in given:
        if not isinstance(name, str):
            raise ValueError(f"{owner} takes names that are str, not {shown(name)}")


def shown(value: object) -> str:
    """Return a value for a message: short, and safe even if its `repr` raises."""
    try:
        text = repr(value)
    except Exception:
        text = object.__repr__(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


@dataclass(slots=True)
class TextDelta:
    """The next piece of visible text."""

    delta: str


@dataclass(slots=True)
class CustomBlockStart:
    """A complete opening tag."""

    tag: str
    attrs: dict[str, str]


@dataclass(slots=True)
class CustomBlockDelta:
    """The next piece of the open block's content."""

    tag: str
    delta: str


@dataclass(slots=True)
class CustomBlockEnd:
    """The closing tag of the open block. A block cut off by the end of the stream has none."""

    tag: str


@dataclass(slots=True)
class CustomBlock:
    """A complete block with its content. A self-closing tag gives only this delta, without start, delta and end."""

    tag: str
    content: str
    attrs: dict[str, str] = field(default_factory=dict)
    self_closing: bool = False


CustomBlockEvent = CustomBlockStart | CustomBlockDelta | CustomBlockEnd | CustomBlock
"""The deltas of a tag."""

TagDelta = TextDelta | CustomBlockEvent
"""The deltas that a `TagStream` creates."""


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
