"""The checked arguments of a conversion, as plain JSON."""

from __future__ import annotations

import json
from collections.abc import Container, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from llmblocks.contract.markup import shortened
from llmblocks.stf.convert.converted import Losses, below
from llmblocks.stf.syntax.problems import kind_of
from llmblocks.stf.values.messages import Content, Json, Part, TextPart

_DEEPEST = 128
_SCALARS = frozenset((str, int, float, bool, type(None)))


class Request(NamedTuple):
    """The input of a converter: the messages, and the other keys of the request. A single message has no path."""

    messages: list[dict[str, Any]]
    others: dict[str, Json]
    is_one: bool = False

    def path(self, index: int) -> str:
        """Return the path of a message."""
        return "" if self.is_one else f"messages[{index}]"


def given_messages(value: object, name: str) -> Request:
    """Return the messages of a request, of a list of messages, or of one message.

    SDK objects count as their `model_dump()`.

    Raises:
        TypeError: The argument has another type.
        ValueError: It has no messages, or a message has no role.
    """
    if isinstance(value, str | bytes | bytearray):
        raise TypeError(f"{name} takes messages, not {kind_of(value)}: pass the loaded JSON")
    plain = _plain(value if not isinstance(value, Iterator) else list(value), "", name)
    listed, others = plain, {}
    if isinstance(plain, dict):
        if isinstance(plain.get("role"), str) and "messages" not in plain:
            return Request([plain], {}, is_one=True)
        if "choices" in plain:
            raise ValueError(f"this is a response: pass its messages to {name}, as in `response.choices[0].message`")
        listed = plain.get("messages")
        others = {key: item for key, item in plain.items() if key != "messages"}
        if not isinstance(listed, list):
            raise ValueError("this is not a request: it must be an object with a list of messages")
    if not isinstance(listed, list):
        raise TypeError(f"{name} takes a list of messages or a request, not {kind_of(value)}")
    for index, message in enumerate(listed):
        if not isinstance(message, dict) or not isinstance(message.get("role"), str):
            raise ValueError(f"messages[{index}] is not a message: it must be an object with a role")
    return Request(listed, others)


def is_plain(message: Mapping[str, Json]) -> bool:
    """Return whether a message has only a role and text, as most messages do."""
    return len(message) == 2 and isinstance(message.get("content"), str)


def keep(
    more: dict[str, Json],
    given: Mapping[str, Json],
    known: Iterable[str],
    own: Iterable[str],
    path: str,
    losses: Losses,
) -> dict[str, Json]:
    """Return `more` with the keys of an object that are not `known` and not null.

    Keys in `own` have another meaning.
    """
    for key, item in given.items():
        if key in known or item is None:
            continue
        if key in own or key in more:
            losses.add(below(path, key), "this key means something else here: it is left out")
        else:
            more[key] = item
    return more


def lose_others(given: Mapping[str, Json], known: Container[str], why: str, path: str, losses: Losses) -> None:
    """Report the keys of an object that are not `known` and not null. `{}` in `why` stands for the key."""
    for key, item in given.items():
        if key not in known and item is not None:
            losses.add(below(path, key), why.format(key))


def text_or_none(given: Mapping[str, Json], key: str, path: str, losses: Losses) -> str | None:
    """Return an id in an object if it is text."""
    id_ = given.get(key)
    if id_ is None or isinstance(id_, str):
        return id_
    losses.add(f"{path}.{key}", "an id is text: it is left out")
    return None


def bare(parts: list[Part]) -> Content:
    """Simplify a content: a single text without keys becomes plain text, an empty list empty text."""
    one = parts[0] if parts else TextPart("")
    return one.text if len(parts) < 2 and isinstance(one, TextPart) and not one.more else parts


def as_json(value: Json) -> str:
    """Return the arguments of a call as text."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _plain(value: Any, path: str, name: str, depth: int = 0) -> Json:
    """Convert dicts and lists with SDK objects in them to plain JSON."""
    if value is None or isinstance(value, str | bool | int | float):
        return value
    if depth > _DEEPEST:
        raise ValueError(f"{shortened(path, 60)} is nested deeper than {_DEEPEST} levels, or contains itself")
    if type(value) is dict and {str}.issuperset(map(type, value)) and _SCALARS.issuperset(map(type, value.values())):
        # most messages contain no SDK objects
        return dict(value)
    dump = getattr(value, "model_dump", None)
    if callable(dump) and not isinstance(value, type):
        value = dump(mode="json", by_alias=True)
    if isinstance(value, Mapping):
        out = {}
        for key, item in value.items():
            if not isinstance(key, str):
                raise TypeError(f"{name}: the key {key!r} of {path or 'the request'} is not a string")
            scalar = type(item) in _SCALARS
            out[key] = item if scalar else _plain(item, below(path, key), name, depth + 1)
        return out
    if isinstance(value, list | tuple) and path in ("", "messages"):
        # most messages are a role and text, and need no copy
        return [
            item if _is_quick(item) else _plain(item, f"{path}[{index}]", name, depth + 1)
            for index, item in enumerate(value)
        ]
    if isinstance(value, list | tuple):
        return [_plain(item, f"{path}[{index}]", name, depth + 1) for index, item in enumerate(value)]
    if not path:
        raise TypeError(f"{name} takes messages, a request or an object of the SDK, not {kind_of(value)}")
    raise TypeError(f"{name}: {path} is {kind_of(value)}, which is not JSON: pass dicts, lists, text and numbers")


def _is_quick(item: Any) -> bool:
    return type(item) is dict and len(item) == 2 and type(item.get("role")) is type(item.get("content")) is str
