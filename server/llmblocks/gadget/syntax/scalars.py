"""Pointers that lead below a scalar: into the characters of a text, or into what JavaScript inherits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from llmblocks.gadget.syntax.javascript import METHODS, shown
from llmblocks.gadget.syntax.pointer_errors import PointerError, error

Scalar = str | int | float | bool


def type_of(value: Scalar) -> Literal["boolean", "number", "text"]:
    """Return the type of a value, as messages name it."""
    return "boolean" if isinstance(value, bool) else "text" if isinstance(value, str) else "number"


_OF_OBJECTS = (
    "__proto__ __defineGetter__ __defineSetter__ __lookupGetter__ __lookupSetter__ constructor hasOwnProperty "
    "isPrototypeOf propertyIsEnumerable toLocaleString toString valueOf"
)
INHERITED = frozenset(_OF_OBJECTS.split())
"""The inherited properties of every JavaScript object: a pointer below one would write into the runtime."""

_SHOWN = 100
"""The maximum length of a quoted text: every pointer below a text quotes it."""

Utf16 = dict[str, bytes]
"""The texts of a call that pointers lead into, in UTF-16 as in JavaScript, each encoded once."""


def index_or_key(segment: str) -> str | int:
    """Return an array index as an `int`, anything else unchanged."""
    # with a leading zero, or more digits than the length of any list, it is a key
    if segment.isascii() and segment.isdigit() and len(segment) < 16 and (segment == "0" or segment[0] != "0"):
        return int(segment)
    return segment


def follow(current: Scalar, segments: Sequence[str], pointer: str, place: int, texts: Utf16 | None) -> None:
    """Follow a pointer below a scalar, where nothing can be stored. Returns only if the runtime drops the value.

    Args:
        current: The scalar.
        segments: The remaining segments.
        pointer: The pointer.
        place: The index of the first of `segments`.
        texts: See `assign`.

    Raises:
        PointerError: The runtime rejects the pointer.
    """
    *path, last = segments
    for segment in path:
        current = _step(current, segment, pointer, place, texts)
        place += 1
    if last == "__proto__":
        return
    if isinstance(current, str) and (last == "length" or _character(current, last, texts) is not None):
        raise error("scalar_parent", None, case="read-only", segment=last, value=quoted(current))
    raise _no_room(current, last)


def _step(current: Scalar, segment: str, pointer: str, place: int, texts: Utf16 | None) -> Scalar:
    if segment in INHERITED:
        raise unsafe(pointer, segment, place)
    if segment in METHODS[type(current)]:
        raise unsafe(pointer, segment, place, "text" if isinstance(current, str) else "number")
    if isinstance(current, str):
        if segment == "length":
            return len(current) if current.isascii() else len(_utf16(current, texts)) // 2
        found = _character(current, segment, texts)
        if found is not None:
            return found
    raise _no_room(current, segment)


def _no_room(current: Scalar, segment: str) -> PointerError:
    if isinstance(current, bool):
        kind, text = "boolean", "true" if current else "false"
    elif isinstance(current, str):
        kind, text = "string", quoted(current)
    else:
        kind, text = "number", shown(current)
    return error("scalar_parent", None, segment=segment, type=kind, value=text)


def quoted(text: str) -> str:
    """Quote a text for a message."""
    # not from `contract.markup`, whose patterns a check of calls would have to compile
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"


def unsafe(pointer: str, segment: str, place: int, owner: str = "object") -> PointerError:
    """Return the error of a pointer that would write outside the call."""
    return error("unsafe_pointer", place, pointer=pointer, segment=segment, owner=owner)


def _utf16(text: str, texts: Utf16 | None) -> bytes:
    if texts is None:
        texts = {}
    if text not in texts:
        texts[text] = text.encode("utf-16-le", "surrogatepass")
    return texts[text]


def _character(text: str, segment: str, texts: Utf16 | None) -> str | None:
    index = index_or_key(segment)
    if not isinstance(index, int):
        return None
    if text.isascii():
        return text[index] if index < len(text) else None
    units = _utf16(text, texts)[2 * index : 2 * index + 2]
    return units.decode("utf-16-le", "surrogatepass") if units else None
