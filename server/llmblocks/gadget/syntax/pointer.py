"""Argument pointers: the places of values in the parameters, and their errors."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal

from llmblocks.core.problem import NO_DATA, ProblemKind
from llmblocks.gadget.syntax.catalogue import (
    ARRAY_INDEX_GAP,
    DUPLICATE_POINTER,
    INVALID_ARRAY_INDEX,
    POINTER_CONFLICT,
    POINTER_TOO_DEEP,
    UNSAFE_POINTER,
)
from llmblocks.gadget.syntax.javascript import METHODS, leading_integer, shown

Scalar = str | int | float | bool
Value = Scalar | list["Value"] | dict[str, "Value"]
Parameters = dict[str, Value]

ErrorKind = Literal["duplicate_pointer", "array_gap", "bad_index", "scalar_parent", "unsafe_pointer", "nesting"]

ROWS: Final[Mapping[ErrorKind, ProblemKind]] = {
    "duplicate_pointer": DUPLICATE_POINTER,
    "array_gap": ARRAY_INDEX_GAP,
    "bad_index": INVALID_ARRAY_INDEX,
    "scalar_parent": POINTER_CONFLICT,
    "unsafe_pointer": UNSAFE_POINTER,
    "nesting": POINTER_TOO_DEEP,
}
"""The catalogue row of each kind of error."""

NESTING_LIMIT = 1000
"""The most segments a pointer may have."""

INHERITED = frozenset(
    {
        "__proto__",
        "__defineGetter__",
        "__defineSetter__",
        "__lookupGetter__",
        "__lookupSetter__",
        "constructor",
        "hasOwnProperty",
        "isPrototypeOf",
        "propertyIsEnumerable",
        "toLocaleString",
        "toString",
        "valueOf",
    }
)
"""The inherited properties of every JavaScript object: a pointer below one would write into the runtime."""


_SHOWN = 100
"""The most characters that a message quotes: every pointer below a text quotes that text."""

Utf16 = dict[str, bytes]
"""The texts of a call that pointers lead into, in UTF-16 as in JavaScript, each encoded once."""


class PointerError(ValueError):
    """The error of a pointer.

    Shape: `message` is the runtime's, if there is one; `place` is the index of the wrong segment, or None for the whole
           pointer. `data` has the values in the message.
    """

    def __init__(
        self, kind: ErrorKind, message: str, place: int | None = None, data: Mapping[str, object] = NO_DATA
    ) -> None:
        super().__init__(message)
        self.kind: ErrorKind = kind
        self.message = message
        self.place = place
        self.data = data

    def __reduce__(self) -> tuple[type[PointerError], tuple[ErrorKind, str, int | None, Mapping[str, object]]]:
        # pickle recreates an exception from its text alone, but this one needs more
        return type(self), (self.kind, self.message, self.place, self.data)


def _error(kind: ErrorKind, place: int | None, **data: object) -> PointerError:
    row = ROWS[kind]
    # the runtime has no message for this one
    message = row.message(data) if row is UNSAFE_POINTER else row.says(data)
    return PointerError(kind, message, place, data)


def duplicate(pointer: str) -> PointerError:
    """The error of a duplicate pointer."""
    return _error("duplicate_pointer", None, pointer=pointer)


def decode_pointer(text: str) -> tuple[str | int, ...]:
    """Split an argument pointer into object keys and array indices.

    Shape:  "users/0/name" -> ("users", 0, "name"); "" -> (); "01" stays a key.
    Errors: none; a gap between indices is rule G102's business.
    Source: the gadget block format, "Parameter Pointer Syntax".
    """
    return tuple(_index_or_key(segment) for segment in text.split("/")) if text else ()


def assign(
    root: Parameters, pointer: str, value: Scalar, texts: Utf16 | None = None
) -> Literal["", "overwritten", "ignored"]:
    """Put a value at its pointer, and create the dicts and lists on the way.

    Shape:  `texts` begins empty and is the same for all pointers of a call. The result is "" if the place was free,
            "overwritten" if the value replaced others, "ignored" if the runtime silently drops it (`__proto__`).
    Errors: `PointerError`; containers created before the error stay.
    """
    segments = pointer.split("/")
    if len(segments) > NESTING_LIMIT:
        raise _error("nesting", None, count=len(segments), most=NESTING_LIMIT)
    current: Value = root
    last = segments.pop()
    for place, segment in enumerate(segments):
        if isinstance(current, dict):
            child = current.get(segment)
            if child is None:
                if segment in INHERITED:
                    raise _unsafe(pointer, segment, place)
                child = current[segment] = [] if _is_index(segments, place, last) else {}
            current = child
        elif isinstance(current, list):
            index = _array_index(segment, len(current), place)
            if index == len(current):
                current.append([] if _is_index(segments, place, last) else {})
            current = current[index]
        else:
            current = _below_scalar(current, segment, pointer, place, texts)
    if isinstance(current, dict):
        if last == "__proto__":
            return "ignored"
        known = last in current
        current[last] = value
        return "overwritten" if known else ""
    if isinstance(current, list):
        index = _array_index(last, len(current), len(segments))
        if index == len(current):
            current.append(value)
            return ""
        current[index] = value
        return "overwritten"
    if last == "__proto__":
        return "ignored"
    if isinstance(current, str) and (last == "length" or _character(current, last, texts) is not None):
        raise _error("scalar_parent", None, case="read-only", segment=last, value=_quoted(current))
    raise _no_room(current, last, len(segments))


def _index_or_key(segment: str) -> str | int:
    # with a leading zero, or more digits than any list has elements, it is a key, not an index
    if segment.isascii() and segment.isdigit() and len(segment) < 16 and (segment == "0" or segment[0] != "0"):
        return int(segment)
    return segment


def _is_index(segments: list[str], place: int, last: str) -> bool:
    following = segments[place + 1] if place + 1 < len(segments) else last
    return following.isascii() and following.isdigit()


def _array_index(segment: str, length: int, place: int) -> int:
    index = leading_integer(segment)
    if index is None or index < 0:
        raise _error("bad_index", place, segment=segment)
    if index > length:
        raise _error("array_gap", place, expected=length, got=shown(index))
    return int(index)


def _unsafe(pointer: str, segment: str, place: int, owner: str = "object") -> PointerError:
    return _error("unsafe_pointer", place, pointer=pointer, segment=segment, owner=owner)


def _utf16(text: str, texts: Utf16 | None) -> bytes:
    if texts is None:
        texts = {}
    if text not in texts:
        texts[text] = text.encode("utf-16-le", "surrogatepass")
    return texts[text]


def _character(text: str, segment: str, texts: Utf16 | None) -> str | None:
    index = _index_or_key(segment)
    if not isinstance(index, int):
        return None
    if text.isascii():
        return text[index] if index < len(text) else None
    units = _utf16(text, texts)[2 * index : 2 * index + 2]
    return units.decode("utf-16-le", "surrogatepass") if units else None


def _below_scalar(current: Scalar, segment: str, pointer: str, place: int, texts: Utf16 | None) -> Scalar:
    if segment in INHERITED:
        raise _unsafe(pointer, segment, place)
    if segment in METHODS[type(current)]:
        raise _unsafe(pointer, segment, place, "text" if isinstance(current, str) else "number")
    if isinstance(current, str):
        if segment == "length":
            return len(current) if current.isascii() else len(_utf16(current, texts)) // 2
        found = _character(current, segment, texts)
        if found is not None:
            return found
    raise _no_room(current, segment, place)


def _no_room(current: Scalar, segment: str, place: int) -> PointerError:
    if isinstance(current, bool):
        kind, text = "boolean", "true" if current else "false"
    elif isinstance(current, str):
        kind, text = "string", _quoted(current)
    else:
        kind, text = "number", shown(current)
    return _error("scalar_parent", place, segment=segment, type=kind, value=text)


def _quoted(text: str) -> str:
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"
