"""Argument pointers: where in the parameters a value goes, and why it sometimes cannot."""

from __future__ import annotations

from typing import Literal

from llmblocks.gadget.syntax.javascript import leading_integer, length_utf16, shown

Scalar = str | int | float | bool
Value = Scalar | list["Value"] | dict[str, "Value"]
Parameters = dict[str, Value]

ErrorKind = Literal["duplicate_pointer", "array_gap", "bad_index", "scalar_parent", "unsafe_pointer", "nesting"]

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
"""What every JavaScript object has without being given it: a pointer below one would write into the runtime itself."""


class PointerError(ValueError):
    """A value that cannot go where its pointer says.

    Shape: `message` is the runtime's, where it has one; `place` is the number of the segment that is wrong, None where
           it is the pointer as a whole.
    """

    def __init__(self, kind: ErrorKind, message: str, place: int | None = None) -> None:
        super().__init__(message)
        self.kind: ErrorKind = kind
        self.message = message
        self.place = place

    def __reduce__(self) -> tuple[type[PointerError], tuple[ErrorKind, str, int | None]]:
        # an exception is made again from its text alone, and this one is made from more
        return type(self), (self.kind, self.message, self.place)


def decode_pointer(text: str) -> tuple[str | int, ...]:
    """Split an argument pointer into object keys and array indices.

    Shape:  "users/0/name" -> ("users", 0, "name"); "" -> (); "01" stays a key.
    Errors: none; a gap between indices is rule G102's business.
    Source: the gadget block format, "Parameter Pointer Syntax".
    """
    return tuple(_index_or_key(segment) for segment in text.split("/")) if text else ()


def assign(root: Parameters, pointer: str, value: Scalar) -> Literal["", "overwritten", "ignored"]:
    """Put one value where its pointer says, creating the dicts and lists on the way.

    Shape:  "" when the value went where nothing was; "overwritten" when it took the place of another value or of
            nested ones; "ignored" when the runtime drops it without a word (`__proto__`).
    Errors: `PointerError`; containers made before it was found stay.
    """
    segments = pointer.split("/")
    if len(segments) > NESTING_LIMIT:
        raise PointerError(
            "nesting",
            f"Pointer nested too deeply: {len(segments)} segments, and at most {NESTING_LIMIT} are read; shorten it",
        )
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
            current = _below_scalar(current, segment, pointer, place)
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
    if isinstance(current, str) and (last == "length" or _character(current, last) is not None):
        raise PointerError("scalar_parent", f"Cannot assign to read only property '{last}' of string '{current}'")
    raise _no_room(current, last, len(segments))


def _index_or_key(segment: str) -> str | int:
    # a leading zero, or more digits than any list has elements, is a key and never an index
    if segment.isascii() and segment.isdigit() and len(segment) < 16 and (segment == "0" or segment[0] != "0"):
        return int(segment)
    return segment


def _is_index(segments: list[str], place: int, last: str) -> bool:
    following = segments[place + 1] if place + 1 < len(segments) else last
    return following.isascii() and following.isdigit()


def _array_index(segment: str, length: int, place: int) -> int:
    index = leading_integer(segment)
    if index is None or index < 0:
        raise PointerError("bad_index", f"Invalid array index: {segment}", place)
    if index > length:
        raise PointerError("array_gap", f"Array index gap: expected {length}, got {shown(index)}", place)
    return int(index)


def _unsafe(pointer: str, segment: str, place: int) -> PointerError:
    return PointerError(
        "unsafe_pointer",
        f"Unsafe pointer: {pointer} — {segment!r} is inherited by every object of the runtime, so this would write "
        "outside the call; nothing is written, rename the argument",
        place,
    )


def _character(text: str, segment: str) -> str | None:
    index = _index_or_key(segment)
    if not isinstance(index, int) or index >= length_utf16(text):
        return None
    units = text.encode("utf-16-le", "surrogatepass")[2 * index : 2 * index + 2]
    return units.decode("utf-16-le", "surrogatepass")


def _below_scalar(current: Scalar, segment: str, pointer: str, place: int) -> Scalar:
    if segment in INHERITED:
        raise _unsafe(pointer, segment, place)
    if isinstance(current, str):
        if segment == "length":
            return length_utf16(current)
        found = _character(current, segment)
        if found is not None:
            return found
    raise _no_room(current, segment, place)


def _no_room(current: Scalar, segment: str, place: int) -> PointerError:
    if isinstance(current, bool):
        kind, text = "boolean", "true" if current else "false"
    elif isinstance(current, str):
        kind, text = "string", current
    else:
        kind, text = "number", shown(current)
    return PointerError("scalar_parent", f"Cannot create property '{segment}' on {kind} '{text}'", place)
