"""The objects of a conversion: what they give, what a service accepts of them, and what is lost."""

from __future__ import annotations

import json
import re
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from itertools import count
from typing import Any, Final, Generic, NamedTuple, TypeAlias, TypeVar

from llmblocks.contract.markup import shortened
from llmblocks.stf.values.messages import Content, Json, Message, Part, TextPart, ToolCall, Transcript
from llmblocks.stf.values.shape import JsonPath, kind_of, path_name

T = TypeVar("T")


class Loss(NamedTuple):
    """Content that the target cannot represent."""

    path: str
    """Its path in the source (`messages[2].extra`)."""
    message: str
    """The effect of the loss."""


class Converted(NamedTuple, Generic[T]):
    """The result of a conversion."""

    value: T
    lost: tuple[Loss, ...]
    """Everything that it does not contain."""


class Losses:
    """Collects the losses of a conversion, at a path of its source. All paths have one list."""

    def __init__(self, keys: tuple[str | int, ...] = (), found: list[Loss] | None = None) -> None:
        self.keys = keys
        self.found: list[Loss] = [] if found is None else found

    def at(self, *keys: str | int) -> Losses:
        """Return the losses at a longer path: keys of objects and indices of lists."""
        return Losses(self.keys + keys, self.found)

    def add(self, message: str, *keys: str | int) -> None:
        """Record a loss here, or at a longer path."""
        self.found.append(Loss(path_name(self.keys + keys), message))

    def converted(self, value: T) -> Converted[T]:
        """Return the result with the collected losses."""
        return Converted(value, tuple(self.found))

    def carried(self, more: Mapping[str, Json], accepted: Mapping[str, Shape], holder: str) -> dict[str, Json]:
        """Return the keys of an object, the `holder`, that a service accepts; the others are lost."""
        out: dict[str, Json] = {}
        for key, value in more.items():
            if value is None:
                # A null carries no information, and many keys must be absent rather than null.
                continue
            if key not in accepted:
                self.add(f"{holder} has no key {key!r}: it is left out", key)
                continue
            fitted = _fitted(value, accepted[key], self.at(key))
            if fitted is _MISFIT:
                self.add(f"the service does not accept this {key}: it is left out", key)
            elif fitted != []:
                # an empty list carries no information: each dropped item has been reported
                out[key] = fitted
        return out

    def lose_fields(self, message: Message, keys: Iterable[str], why: str) -> None:
        """Report fields of a message, and a null `extra`, as lost. `{}` in `why` stands for the key."""
        for key in keys:
            if getattr(message, key) is not None or key in (message.more or {}):
                self.add(why.format(key), key)

    def tool_name(self, name: str, longest: int) -> str:
        """Return the name of a tool with only the characters that services accept."""
        written = re.sub(r"[^a-zA-Z0-9_-]", "_", name)[:longest] or "unnamed"
        if written != name:
            self.add(f"the service does not accept this name: it becomes {written!r}", "name")
        return written

    def in_characters(self, value: Any) -> Any:
        """Return plain JSON that UTF-8 can hold: halves of characters joined, or replaced by U+FFFD: a loss."""
        if "\\ud" not in repr(value):
            # repr() escapes surrogates, which most values do not have
            return value
        text = json.dumps(value, ensure_ascii=False)
        joined = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        if joined.count("\ufffd") > text.count("\ufffd"):
            self.add("half a character cannot be sent: it becomes U+FFFD in the request")
        return json.loads(joined)


_MOST = 128
_SCALARS = frozenset((str, int, float, bool, type(None)))


class Given:
    """An object of a request: a converter takes keys of it, and then keeps or loses the rest. Nulls do not count."""

    in_texts = ("url", "data", "mime")
    in_parts = ("type", "text", *in_texts, "name", "format", "file_id")
    """Keys of a transcript, which mean something else there than in a request."""

    def __init__(self, value: object, losses: Losses) -> None:
        self.rest = {key: item for key, item in value.items() if item is not None} if isinstance(value, dict) else {}
        self.losses = losses

    def take(self, key: str, kind: type = str) -> Any:
        """Take the value of a key if it is of this type, and return it; otherwise return None."""
        return self.rest.pop(key) if isinstance(self.rest.get(key), kind) else None

    def parts(self, key: str, read: Callable[[Given, str | None], Part | None]) -> Content:
        """Take a content: text, or a list of parts, of which `read` drops some. It gets a part and its `type`."""
        content, at = self.rest.pop(key, ""), self.losses.at(key)
        if isinstance(content, str):
            return content
        if not isinstance(content, list):
            at.add("a content is text or a list: it is left out")
            return ""
        given = [Given(part, at.at(index)) for index, part in enumerate(content)]
        return [part for each in given if (part := read(each, each.take("type"))) is not None]

    def keep(self, own: Collection[str], more: dict[str, Json] | None = None) -> dict[str, Json]:
        """Return the rest, after `more`. The keys in `own` and in `more` are lost, for they have another meaning."""
        more = {} if more is None else more
        for key, item in self.rest.items():
            if key in own or key in more:
                self.losses.add("this key has another meaning or type in a transcript: it is left out", key)
            else:
                more[key] = item
        return more

    def lose(self, why: str) -> None:
        """Report the rest as lost. `{}` in `why` stands for the key."""
        for key in self.rest:
            self.losses.add(why.format(key), key)


def given_messages(value: object, name: str) -> tuple[list[tuple[dict[str, Any], Losses]], Given]:
    """Return each message of a request, of a list, or of one message, with its losses; and the rest of the request.

    Raises:
        TypeError: The argument has another type.
        ValueError: It has no messages, or a message has no role.
    """
    if isinstance(value, str | bytes | bytearray):
        raise TypeError(f"{name} takes messages, not {kind_of(value)}: pass the loaded JSON")
    losses = Losses()
    plain = _plain(value if not isinstance(value, Iterator) else list(value), (), name)
    listed, others = plain, {}
    if isinstance(plain, dict):
        if isinstance(plain.get("role"), str) and "messages" not in plain:
            return [(plain, losses)], Given({}, losses)
        if "choices" in plain:
            raise ValueError(f"this is a response: pass its messages to {name}, as in `response.choices[0].message`")
        listed, others = plain.pop("messages", None), plain
        if not isinstance(listed, list):
            raise ValueError("this is not a request: it must be an object with a list of messages")
    if not isinstance(listed, list):
        raise TypeError(f"{name} takes a list of messages or a request, not {kind_of(value)}")
    for index, message in enumerate(listed):
        if not isinstance(message, dict) or not isinstance(message.get("role"), str):
            raise ValueError(f"messages[{index}] is not a message: it must be an object with a role")
    return [(each, losses.at("messages", index)) for index, each in enumerate(listed)], Given(others, losses)


def bare(parts: list[Part]) -> Content:
    """Simplify a content: a single text without keys becomes plain text, an empty list empty text."""
    one = parts[0] if parts else TextPart("")
    return one.text if len(parts) < 2 and isinstance(one, TextPart) and not one.more else parts


def as_json(value: Json) -> str:
    """Return the arguments of a call as text."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _plain(value: Any, path: JsonPath, name: str) -> Json:
    """Convert dicts and lists with SDK objects in them to plain JSON."""
    if value is None or isinstance(value, str | bool | int | float):
        return value
    if len(path) > _MOST:
        raise ValueError(f"{shortened(path_name(path), 60)} is nested deeper than {_MOST} levels, or contains itself")
    dump = getattr(value, "model_dump", None)
    if callable(dump) and not isinstance(value, type):
        value = dump(mode="json", by_alias=True)
    if isinstance(value, Mapping):
        for key in value:
            if not isinstance(key, str):
                at = path_name(path) or "the request"
                raise TypeError(f"{name}: the key {key!r} of {at} is not a string")
        plain = _SCALARS.issuperset(map(type, value.values()))
        return dict(value) if plain else {key: _plain(item, (*path, key), name) for key, item in value.items()}
    if isinstance(value, list | tuple):
        # a list alone is that of the messages
        path = path or ("messages",)
        return [_plain(item, (*path, index), name) for index, item in enumerate(value)]
    if not path:
        raise TypeError(f"{name} takes messages, a request or an object of the SDK, not {kind_of(value)}")
    raise TypeError(f"{name}: {path_name(path)} is {kind_of(value)}, which is not JSON: pass dicts, lists and text")


Shape: TypeAlias = Any
"""One of

- a type: a value of this type;
- a word: this word;
- a tuple of shapes: a value of the first one that fits;
- a list of a shape: a list, without the items that do not fit;
- a dict of shapes: an object with these keys; those that end with `?` are optional, and others are dropped.
"""
_MISFIT: Final = object()


def _fitted(value: Any, shape: Shape, losses: Losses) -> Json:
    """Return a value as the service accepts it, or `_MISFIT`."""
    if isinstance(shape, tuple):
        fitting = (_fitted(value, each, losses) for each in shape)
        return next((each for each in fitting if each is not _MISFIT), _MISFIT)
    if isinstance(shape, list) and isinstance(value, list):
        fitted = [_fitted(item, shape[0], losses.at(index)) for index, item in enumerate(value)]
        for index in [index for index, item in enumerate(fitted) if item is _MISFIT]:
            losses.add("the service does not accept this: it is left out", index)
        return [item for item in fitted if item is not _MISFIT]
    if isinstance(shape, dict) and isinstance(value, dict):
        optional = {key[:-1]: each for key, each in shape.items() if key.endswith("?")}
        out = {key: _fitted(value.get(key, _MISFIT), each, losses) for key, each in shape.items() if key[-1] != "?"}
        if any(item is _MISFIT for item in out.values()):
            return _MISFIT
        return out | losses.carried({key: item for key, item in value.items() if key not in out}, optional, "it")
    return value if (value == shape if isinstance(shape, str) else type(value) is shape) else _MISFIT


class CallIds:
    """The ids of a transcript's calls. A call without an id gets one, and so does its result."""

    def __init__(self, transcript: Transcript, accepted: str) -> None:
        self._accepted = re.compile(accepted, re.DOTALL)
        calls = [call for message in transcript.messages for call in message.tool_calls or ()]
        self._taken = {message.call_id for message in transcript.messages}
        self._taken |= {each for call in calls for each in (call.id, call.call_id)}
        self._written: dict[str, str] = {}
        self._waiting: deque[str] = deque()
        self._ids = map("call_{}".format, count(1))

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
        if (written := self._accept(given)) != given:
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
        if (written := self._accept(message.call_id)) != message.call_id:
            losses.add(f"the call has another id in the request: it is {written!r}", "call_id")
        return written

    def _accept(self, given: str) -> str:
        if given not in self._written:
            self._written[given] = given if self._accepted.fullmatch(given) else self._new()
        return self._written[given]

    def _new(self) -> str:
        return next(each for each in self._ids if each not in self._taken)
