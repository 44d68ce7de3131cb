"""The calls of Qwen 3 Coder: `<function=name>` around `<parameter=key>`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any, Final

from llmblocks.json5.reader import Read, RepeatedKey, ValuePlace

_TAG: Final = re.compile(r"\s*<(function|parameter)=([^<>\n]+)>\n?")
_VALUE_END: Final = re.compile(r"\n?</parameter>")
_END: Final = re.compile(r"\s*</function>\s*\Z|\s*\Z")
Typed = Callable[[str, str], Any]
"""Converts the text of an argument to its value, given its pointer."""


def read_call(text: str, typed: Typed) -> Read:
    """Read the call of a block as `{"name": …, "arguments": {…}}`, the value that programs get. Never raises.

    Source: the response template of Qwen 3 Coder in transformers.
    """
    begun = _TAG.match(text)
    if begun is None or begun[1] != "function":
        return Read(None, None, "it does not begin with `<function=name>`", len(text) - len(text.lstrip()))
    arguments: dict[str, Any] = {}
    items: list[tuple[str | int, int, int, ValuePlace]] = []
    repeated: list[RepeatedKey] = []
    places: dict[str, tuple[int, int]] = {}
    at = begun.end()
    while (tag := _TAG.match(text, at)) is not None and tag[1] == "parameter":
        ended = _VALUE_END.search(text, tag.end())
        if ended is None:
            return Read(None, None, "`</parameter>` is missing", tag.start(2))
        key, (start, end) = tag[2], tag.span(2)
        if key in arguments:
            repeated.append(RepeatedKey(key, start, end, places[key], ended.end()))
        places[key] = start, end
        arguments[key] = typed(f"arguments/{key}", text[tag.end() : ended.start()])
        items.append((key, start, end, ValuePlace(tag.end(), max(ended.start(), tag.end()))))
        at = ended.end()
    if _END.match(text, at) is None:
        rest = text[at:]
        return Read(None, None, "this text is in no parameter", at + len(rest) - len(rest.lstrip()))
    name = (*begun.span(2), ValuePlace(*begun.span(2)))
    inside = ValuePlace(begun.end(), at, (*items,))
    node = ValuePlace(
        begun.start(2) - len("<function="), at, (("name", *name), ("arguments", inside.start, inside.start, inside))
    )
    return Read({"name": begun[2], "arguments": arguments}, node, repeated=(*repeated,))


def name_at_end(before: str) -> tuple[str, str] | None:
    """Return the pointer to the part named at the end of a text, and the typed beginning of its name."""
    opened = before.rpartition("<")[2]
    for sign, pointer in (("function=", "name"), ("parameter=", "arguments")):
        if opened.startswith(sign) and not re.search(r"[>\n]", opened):
            return pointer, opened.removeprefix(sign)
    return None


def given_names(before: str) -> Iterator[str]:
    """Return the parameters in a text."""
    yield from (tag[2] for tag in _TAG.finditer(before) if tag[1] == "parameter")
