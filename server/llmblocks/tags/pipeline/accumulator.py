"""The accumulator: from deltas to stream events and to a message."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

from llmblocks.core.chunks import is_ascii, join_halves
from llmblocks.json5.finite import once, refuse
from llmblocks.tags import deltas
from llmblocks.tags.deltas import CustomBlock, ReasoningDelta, TextDelta, ToolCallDelta, shown

if TYPE_CHECKING:
    from llmblocks.tags.pipeline.content import Message


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
StreamEvent = MessageEvent | deltas.CustomBlockEvent | deltas.ModelDelta
"""The events of an `Accumulator`; a delta of any other class is an event itself."""


class Accumulator:
    """Collects the output of a pipeline.

    `push(delta)` returns the stream events of a delta: text as `ContentStart`, `ContentDelta`, `ContentEnd`, with a
    `MessageStart` first; any other delta is itself an event. A half of a character waits for the other one in the next
    delta of its kind. `close()` returns the last events. `message` is the message so far. A `Finish` with a reason, or
    `close`, ends open tool calls, as in agentick 0.15: not every provider ends each call.

    Raises:
        TypeError: A delta is text, or has a field of the wrong type.
    """

    def __init__(self) -> None:
        # Texts and custom blocks in order; the open text is in _text.
        self._content: list[str | CustomBlock] = []
        self._text: list[str] = []
        self._reasoning: list[str] = []
        # By the type of the delta, and the id of the call.
        self._halves: dict[tuple[type, str], str] = {}
        self._open_calls: dict[str, tuple[str, list[str]]] = {}
        self._calls: list[deltas.ToolCall] = []
        self._stop_reason: str | None = None
        self._usage: Mapping[str, object] | None = None
        self._started = False

    def push(self, delta: object) -> list[StreamEvent | Any]:
        """Process one delta, and return its stream events."""
        if type(delta) is not TextDelta or type(delta.delta) is not str:
            _check(delta)
        out: list[StreamEvent | Any] = [] if self._started else [MessageStart()]
        self._started = True
        if isinstance(delta, TextDelta):
            return out + self._add_text(self._whole(TextDelta, delta.delta))
        if isinstance(delta, CustomBlock):
            out += self._end_text()
            self._content.append(delta)
        elif isinstance(delta, ReasoningDelta | ToolCallDelta):
            call = delta.id if isinstance(delta, ToolCallDelta) else ""
            if isinstance(delta, ReasoningDelta) or call in self._open_calls:
                text = self._whole(type(delta), delta.delta, call)
                if not text and delta.delta:
                    return out
                (self._open_calls[call][1] if isinstance(delta, ToolCallDelta) else self._reasoning).append(text)
                delta = replace(delta, delta=text)
        elif isinstance(delta, deltas.ToolCallStart):
            out += self._end_calls(delta.id)
            self._open_calls[delta.id] = (delta.name, [])
        elif isinstance(delta, deltas.ToolCallEnd):
            # its own end is the last of them
            out += self._end_calls(delta.id)[:-1]
        elif isinstance(delta, deltas.ToolCall):
            self._calls.append(delta)
        elif isinstance(delta, deltas.Finish):
            if delta.stop_reason:
                out += self._end_calls(*self._open_calls)
            self._stop_reason = delta.stop_reason or self._stop_reason
            self._usage = delta.usage or self._usage
        out.append(delta)
        return out

    def close(self, stop_reason: str | None = None, error: Exception | None = None) -> list[StreamEvent]:
        """End the message.

        Args:
            stop_reason: Replaces the provider's.
            error: The exception that ended the stream. After an error or "cancelled", an open tool call is dropped from
                the message, because some of its arguments may be missing.
        """
        out: list[StreamEvent] = [] if self._started else [MessageStart()]
        self._started = True
        out += self._end_text()
        if half := self._halves.pop((ReasoningDelta, ""), ""):
            self._reasoning.append(half)
            out.append(ReasoningDelta(half))
        if error is not None:
            out.append(StreamFailed(error))
        elif stop_reason not in ("error", "cancelled"):
            out += self._end_calls(*self._open_calls)
        self._stop_reason = stop_reason or self._stop_reason
        out.append(MessageEnd(self.message, self._stop_reason))
        return out

    @property
    def message(self) -> Message:
        """The message so far, without tool calls whose arguments are incomplete."""
        from llmblocks.tags.pipeline.content import CustomContentBlock, Message, TextBlock, ToolCallBlock

        return Message(
            content=tuple(
                TextBlock(text=part) if isinstance(part, str) else CustomContentBlock(**asdict(part))
                for part in [*self._content, "".join(self._text)]
                if part
            ),
            reasoning="".join(self._reasoning),
            tool_calls=tuple(ToolCallBlock(id=call.id, name=call.name, input=call.input) for call in self._calls),
            stop_reason=self._stop_reason,
            usage=None if self._usage is None else dict(self._usage),
        )

    def _whole(self, kind: type, text: str, of: str = "") -> str:
        """Return the text up to a half of a character at its end, which is kept for the next delta."""
        if not self._halves and is_ascii(text):
            return text
        text, half = join_halves(self._halves.pop((kind, of), "") + text)
        if half:
            self._halves[kind, of] = half
        return text

    def _add_text(self, text: str) -> list[StreamEvent]:
        if not text:
            return []
        begun: list[StreamEvent] = [] if self._text else [ContentStart(len(self._content))]
        self._text.append(text)
        return [*begun, ContentDelta(len(self._content), text)]

    def _end_calls(self, *ids: str) -> list[StreamEvent | Any]:
        """Complete the open calls."""
        ended: list[StreamEvent | Any] = []
        for call_id in ids:
            if call_id in self._open_calls:
                name, parts = self._open_calls.pop(call_id)
                if half := self._halves.pop((ToolCallDelta, call_id), ""):
                    parts.append(half)
                    ended.append(ToolCallDelta(call_id, half))
                self._calls.append(deltas.ToolCall(call_id, name, _parsed("".join(parts))))
                ended.append(deltas.ToolCallEnd(call_id))
        return ended

    def _end_text(self) -> list[StreamEvent]:
        half = self._add_text(self._halves.pop((TextDelta, ""), ""))
        if not self._text:
            return []
        text = "".join(self._text)
        self._text = []
        self._content.append(text)
        return [*half, ContentEnd(len(self._content) - 1, text)]


def _check(delta: object) -> None:
    """Raise `TypeError` for a wrong field, which would otherwise show up only in the message."""
    if isinstance(delta, str | bytes):
        raise TypeError(f"{shown(delta)} is not a delta: push TextDelta(text)")
    is_known = isinstance(delta, deltas.TagDelta | deltas.ModelDelta)
    for name in ("delta", "id", "name", "tag", "content"):
        if is_known and not isinstance(getattr(delta, name, ""), str):
            raise TypeError(f"{name} of {shown(delta)} is not text: give a str")
    if isinstance(delta, deltas.Finish):
        if not isinstance(delta.stop_reason, str | None):
            raise TypeError(f"stop_reason of {shown(delta)} is not text: give a str or None")
        if not isinstance(delta.usage, Mapping | None):
            raise TypeError(f"usage of {shown(delta)} is not a mapping: give a dict, such as usage.model_dump()")


def _parsed(arguments: str) -> object:
    """Return the JSON value of a call's arguments, or their text if they are invalid or repeat a key."""
    try:
        return json.loads(arguments, parse_constant=refuse, object_pairs_hook=once) if arguments else {}
    except (ValueError, RecursionError):
        return arguments
