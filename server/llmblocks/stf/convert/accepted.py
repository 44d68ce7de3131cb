"""The shapes of values, and the ids and names of calls, that a service accepts. Anything else is reported as lost."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Mapping
from typing import Any, Final, TypeAlias

from llmblocks.stf.convert.converted import Losses
from llmblocks.stf.values.messages import Json, Message, ToolCall, Transcript

Shape: TypeAlias = Any
"""One of

- a type: a value of this type;
- a word: this word;
- a tuple of shapes: a value of the first one that fits;
- a list of a shape: a list, without the items that do not fit;
- a dict of shapes: an object with these keys; those that end with `?` are optional, and others are dropped.
"""
_MISFIT: Final = object()


def carried(more: Mapping[str, Json], accepted: Mapping[str, Shape], holder: str, losses: Losses) -> dict[str, Json]:
    """Return the keys of an object that a service accepts; the others are lost.

    `holder` names the object in messages.
    """
    out: dict[str, Json] = {}
    for key, value in more.items():
        if value is None:
            # A null carries no information, and many keys must be absent rather than null.
            continue
        if key not in accepted:
            losses.add(f"{holder} has no key {key!r}: it is left out", key)
            continue
        fitted = _fitted(value, accepted[key], losses.at(key))
        if fitted is _MISFIT:
            losses.add(f"the service does not accept this {key}: it is left out", key)
        elif fitted != []:
            # an empty list carries no information: each dropped item has been reported
            out[key] = fitted
    return out


def _fitted(value: Any, shape: Shape, losses: Losses) -> Json:
    """Return a value as the service accepts it, or `_MISFIT`."""
    if isinstance(shape, tuple):
        fitting = (_fitted(value, each, losses) for each in shape)
        return next((each for each in fitting if each is not _MISFIT), _MISFIT)
    if isinstance(shape, list) and isinstance(value, list):
        fitted = [_fitted(item, shape[0], losses.at(index)) for index, item in enumerate(value)]
        for index, item in enumerate(fitted):
            if item is _MISFIT:
                losses.add("the service does not accept this: it is left out", index)
        return [item for item in fitted if item is not _MISFIT]
    if isinstance(shape, dict) and isinstance(value, dict):
        optional = {key[:-1]: each for key, each in shape.items() if key.endswith("?")}
        out = {key: _fitted(value.get(key, _MISFIT), each, losses) for key, each in shape.items() if key[-1] != "?"}
        if any(item is _MISFIT for item in out.values()):
            return _MISFIT
        return out | carried({key: item for key, item in value.items() if key not in out}, optional, "it", losses)
    return value if (value == shape if isinstance(shape, str) else type(value) is shape) else _MISFIT


class CallIds:
    """The ids of a transcript's calls. A call without an id gets one, and so does its result."""

    def __init__(self, transcript: Transcript, accepted: str) -> None:
        self._accepted = re.compile(accepted, re.DOTALL)
        self._taken = {message.call_id for message in transcript.messages}
        for message in transcript.messages:
            for call in message.tool_calls or ():
                self._taken |= {call.id, call.call_id}
        self._written: dict[str, str] = {}
        self._waiting: deque[str] = deque()
        self._count = 0

    def turn(self) -> None:
        """Start an assistant message: forget earlier calls without a result."""
        self._waiting.clear()

    def call(self, call: ToolCall, losses: Losses) -> str:
        """Return the id of a call."""
        key = "id" if call.id is not None else "call_id"
        given = getattr(call, key)
        if given is None:
            written = self._new()
            self._waiting.append(written)
            losses.add(f"a call needs an id: it gets {written!r}")
            return written
        written = self._accept(given)
        if written != given:
            losses.add(f"the service does not accept this id: it becomes {written!r}", key)
        if call.call_id is not None and call.call_id != given:
            # If a call has both, its result names the second.
            self._written.setdefault(call.call_id, written)
            losses.add("a call has one id: this one is left out", "call_id")
        return written

    def result(self, message: Message, losses: Losses) -> str | None:
        """Return the id of the call that a tool message answers; None without such a call."""
        if message.call_id is None:
            if not self._waiting:
                return None
            written = self._waiting.popleft()
            losses.add(f"a result needs the id of its call: it gets {written!r}")
            return written
        written = self._accept(message.call_id)
        if written != message.call_id:
            losses.add(f"the call has another id in the request: it is {written!r}", "call_id")
        return written

    def _accept(self, given: str) -> str:
        if given not in self._written:
            self._written[given] = given if self._accepted.fullmatch(given) else self._new()
        return self._written[given]

    def _new(self) -> str:
        while True:
            self._count += 1
            if (id_ := f"call_{self._count}") not in self._taken:
                return id_


def tool_name(name: str, longest: int, losses: Losses) -> str:
    """Return the name of a tool with only the characters that services accept."""
    written = re.sub(r"[^a-zA-Z0-9_-]", "_", name)[:longest] or "unnamed"
    if written != name:
        losses.add(f"the service does not accept this name: it becomes {written!r}", "name")
    return written
