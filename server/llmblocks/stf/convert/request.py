"""The given requests and messages of a conversion, as plain JSON."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Any

from llmblocks.contract.markup import shortened
from llmblocks.stf.convert.converted import Losses
from llmblocks.stf.syntax.problems import kind_of
from llmblocks.stf.values.messages import Content, Json, Message, Part, TextPart
from llmblocks.stf.values.shape import JsonPath, path_name

OURS_IN_TEXTS = ("url", "data", "mime")
OURS_IN_PARTS = ("type", "text", *OURS_IN_TEXTS, "name", "format", "file_id")
"""Keys of a transcript, which mean something else there than in a request."""
_MOST = 128
_SCALARS = frozenset((str, int, float, bool, type(None)))


class Given:
    """An object of a request: a converter takes keys of it, and then keeps or loses the rest. Nulls do not count."""

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
    """Return the messages of a request, of a list, or one message, each with its losses, and the rest of the request.

    SDK objects count as their `model_dump()`.

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
        listed = plain.pop("messages", None)
        others = plain
        if not isinstance(listed, list):
            raise ValueError("this is not a request: it must be an object with a list of messages")
    if not isinstance(listed, list):
        raise TypeError(f"{name} takes a list of messages or a request, not {kind_of(value)}")
    for index, message in enumerate(listed):
        if not isinstance(message, dict) or not isinstance(message.get("role"), str):
            raise ValueError(f"messages[{index}] is not a message: it must be an object with a role")
    return [(each, losses.at("messages", index)) for index, each in enumerate(listed)], Given(others, losses)


def lose_fields(message: Message, keys: Iterable[str], why: str, losses: Losses) -> None:
    """Report fields of a message, and a null `extra`, as lost. `{}` in `why` stands for the key."""
    for key in keys:
        if getattr(message, key) is not None or key in (message.more or {}):
            losses.add(why.format(key), key)


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
