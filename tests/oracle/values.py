"""The problems of the value of a `raw` block, or of the data line of a call."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Sequence
from typing import Any

from llmblocks.json5.reader import ValuePlace, read
from oracle.tokens import Found

CODES = ("S202", "S204", "S206")
_Misfit = tuple[tuple[Any, ...], str, str]
"""The keys that lead to a value, what it must be, and what it is."""
_ABSENT = object()
_KEPT = "the call keeps the line as text"


def of_raw(text: str, places: list[int]) -> Iterator[Found]:
    """Yield the findings in the text of a block. `places` are those of its characters in the document."""
    whole = read(text)
    if whole.node is None:
        return
    yield from of_json(text, places)
    for path, must, was in _of_message(whole.value):
        name = "".join(f"[{key}]" if isinstance(key, int) else f".{key}" for key in path).removeprefix(".")
        start, end = _place(whole.node, path)
        says = re.escape(
            f"{name} must be {must} (was {was}) — the whole message is dropped; correct this value".lstrip()
        )
        yield Found(places[start], places[end - 1] + 1, "S202", says)


def of_json(text: str, places: Sequence[int]) -> Iterator[Found]:
    """Yield the keys that a text gives twice. `places` are those of its characters in the document."""
    for key, start, end, (first, first_end), _ in read(text).repeated:
        says = re.escape(f"Repeated key '{key}' — the last one counts, and the value of the one before is lost; ")
        before = (places[first], places[first_end - 1] + 1)
        yield Found(places[start], places[end - 1] + 1, "S206", says + "remove one of them", (before,))


def of_call(line: str, start: int) -> Iterator[Found]:
    """Yield the findings in a data line that begins at a place. `line` is without its end."""
    found = read(line)
    if found.error is not None:
        at = min(start + found.offset, start + len(line))
        says = "JSON5: invalid .* — " + re.escape(f"{_KEPT}; correct the JSON5")
        yield Found(at, min(at + 1, start + len(line)), "S204", says)
        return
    value = found.value
    yield from of_json(line, range(start, start + len(line)))
    if isinstance(value, dict) and _is_json(line):
        return
    says = ""
    if not _is_finite(value):
        says = f"JSON has no NaN and no Infinity — {_KEPT}; write null or a string"
    elif not isinstance(value, dict):
        says = "the arguments of a call must be an object — the tool may refuse them; write a JSON5 object"
    if says:
        yield Found(start, start + len(line), "S204", re.escape(says))


def _is_json(line: str) -> bool:
    try:
        json.loads(line)
    except ValueError:
        return False
    return "NaN" not in line and "Infinity" not in line


def _is_finite(value: Any) -> bool:
    if isinstance(value, dict | list):
        return all(map(_is_finite, value.values() if isinstance(value, dict) else value))
    return not isinstance(value, float) or math.isfinite(value)


def _place(value: ValuePlace, path: tuple[Any, ...]) -> tuple[int, int]:
    """Return a value; for one that is missing, the bracket of what it is missing in."""
    for key in path:
        # of equal keys the last counts
        parts = {name: place for name, _, _, place in value.items}
        if key not in parts:
            return value.start, value.start + 1
        value = parts[key]
    return value.start, value.end


def _kind(value: Any) -> str:
    if value is _ABSENT:
        return "missing"
    if value is None:
        return "null"
    kinds = {bool: "a boolean", str: "a string", list: "an array", dict: "an object"}
    return kinds.get(type(value), "a number")


def _of_message(value: Any) -> Iterator[_Misfit]:
    if not isinstance(value, dict):
        yield (), "an object", _kind(value)
        return
    yield from _strings(value, (), ("role",), ("role",))
    if "content" in value:
        yield from _of_content(value["content"], ("content",))
    yield from _strings(value, (), ("id", "name", "call_id"), must="a string or undefined")
    if "content" not in value:
        yield ("content",), "a string or an array", "missing"
    for key in ("reasoning", "refusal"):
        if key in value:
            yield from _of_content(value[key], (key,))
    calls = value.get("tool_calls", [])
    if not isinstance(calls, list):
        yield ("tool_calls",), "an array", _kind(calls)
        return
    for number, call in enumerate(calls):
        path = ("tool_calls", number)
        if isinstance(call, dict):
            yield from _strings(call, path, ("name", "arguments", "id", "call_id"), ("name", "arguments"))
        else:
            yield path, "an object", _kind(call)


def _of_content(value: Any, path: tuple[Any, ...]) -> Iterator[_Misfit]:
    if isinstance(value, str):
        return
    if not isinstance(value, list):
        yield path, "a string or an array" if isinstance(value, dict) else "a string or an object", _kind(value)
        return
    for number, part in enumerate(value):
        here = (*path, number)
        if not isinstance(part, dict):
            yield here, "an object", _kind(part)
            continue
        kind = part.get("type", _ABSENT)
        if kind == "text":
            yield from _strings(part, here, ("text",), ("text",))
        elif kind not in ("audio", "file", "image"):
            was = f'"{kind}"' if isinstance(kind, str) else _kind(kind)
            yield (*here, "type"), '"text", "audio", "file" or "image"', was
        else:
            yield from _strings(part, here, ("name", "format", "file_id", "url", "data"))


def _strings(
    value: dict[str, Any],
    path: tuple[Any, ...],
    keys: tuple[str, ...],
    needed: tuple[str, ...] = (),
    must: str = "a string",
) -> Iterator[_Misfit]:
    """Yield the keys that hold something else than a string; those that are needed must be there."""
    for key in keys:
        given = value.get(key, _ABSENT)
        if not isinstance(given, str) and (key in needed or given is not _ABSENT):
            yield (*path, key), must, _kind(given)
