"""Argument pointers: the places of values in the parameters, and their errors."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Literal

from llmblocks.core.chunks import expect_text
from llmblocks.gadget.syntax.javascript import leading_integer, shown
from llmblocks.gadget.syntax.pointer_errors import PointerError, duplicate, error
from llmblocks.gadget.syntax.scalars import INHERITED, Scalar, Utf16, follow, index_or_key, unsafe

Value = Scalar | list["Value"] | dict[str, "Value"]
Parameters = dict[str, Value]
Outcome = Literal["", "overwritten", "ignored"]

NESTING_LIMIT = 1000
"""The maximum number of segments of a pointer."""

_HIGHEST_INDEX = 1 << 53


def decode_pointer(text: str) -> tuple[str | int, ...]:
    """Split an argument pointer into object keys and array indices.

    "users/0/name" -> ("users", 0, "name"); "" -> (); "01" stays a key. Never raises; rule G102 checks gaps between
    indices.

    Source: the gadget block format, "Parameter Pointer Syntax".
    """
    expect_text(text, "decode_pointer")
    return tuple(index_or_key(segment) for segment in text.split("/")) if text else ()


class Gapped:
    """An array after a gap: further indices are read as if the wrong one had been right.

    Attributes:
        items: The given elements, by index.
        length: One more than the highest index.
    """

    __slots__ = ("items", "length")

    def __init__(self, items: list[Value], length: int) -> None:
        self.items: dict[int, Node] = dict(enumerate(items))
        self.length = length


Node = Value | Gapped


class Notes:
    """Silent changes of the runtime to a value, for an editor.

    Attributes:
        lenient: The indices of the segments that the runtime reads as another index.
        replaced: The previous value at the place of the value.
        blocking: The scalar that the pointer leads below.
    """

    __slots__ = ("blocking", "lenient", "replaced")

    def __init__(self) -> None:
        self.lenient: list[int] = []
        self.replaced: Node | None = None
        self.blocking: Scalar | None = None


def assign(
    root: Parameters,
    pointer: str,
    value: Scalar,
    texts: Utf16 | None = None,
    notes: Notes | None = None,
    read: Callable[[Scalar], Scalar] | None = None,
) -> Outcome:
    """Put a value at its pointer, and create the dicts and lists on the way.

    Args:
        root: The parameters.
        pointer: The pointer.
        value: The value.
        texts: Empty at first; one object for all pointers of a call.
        notes: Receives the silent changes.
        read: Returns the value for its stand-in in `root`; called only if a pointer leads below it.

    Returns:
        "" if the place was free, "overwritten" if the value replaced others, "ignored" if the runtime silently drops it
        (`__proto__`).

    Raises:
        PointerError: The runtime rejects the pointer; containers created before the error stay.
    """
    segments = pointer.split("/")
    if len(segments) > NESTING_LIMIT:
        raise error("nesting", None, count=len(segments), most=NESTING_LIMIT)
    current: Node = root
    last = segments.pop()
    for place, segment in enumerate(segments):
        if isinstance(current, dict):
            child = current.get(segment)
            if child is None:
                if segment in INHERITED:
                    raise unsafe(pointer, segment, place)
                child = current[segment] = [] if _is_index(segments, place, last) else {}
            current = child
        elif isinstance(current, list):
            index = _array_index(segment, len(current), place, notes)
            if index == len(current):
                current.append([] if _is_index(segments, place, last) else {})
            current = current[index]
        elif isinstance(current, Gapped):
            index = _array_index(segment, current.length, place, notes)
            current.length = max(current.length, index + 1)
            current = current.items.setdefault(index, [] if _is_index(segments, place, last) else {})
        else:
            if notes is not None:
                notes.blocking = current
            follow(current if read is None else read(current), [*segments[place:], last], pointer, place, texts)
            return "ignored"
    if isinstance(current, dict):
        if last == "__proto__":
            return "ignored"
        replaced: Node | None = current.get(last)
        current[last] = value
    elif isinstance(current, list):
        index = _array_index(last, len(current), len(segments), notes)
        if index == len(current):
            current.append(value)
            return ""
        replaced = current[index]
        current[index] = value
    elif isinstance(current, Gapped):
        index = _array_index(last, current.length, len(segments), notes)
        current.length = max(current.length, index + 1)
        replaced = current.items.get(index)
        current.items[index] = value
    else:
        if notes is not None:
            notes.blocking = current
        follow(current if read is None else read(current), [last], pointer, len(segments), texts)
        return "ignored"
    if notes is not None:
        notes.replaced = replaced
    return "" if replaced is None else "overwritten"


def forgive_gap(root: Parameters, pointer: str, place: int) -> bool:
    """Extend the array in which a pointer has a gap at a segment up to that index; return whether it can."""
    current: Node = root
    parent: Node = root
    key: str | int = ""
    segments = pointer.split("/")
    for segment in segments[:place]:
        parent = current
        if isinstance(current, dict):
            key = segment
            current = current[key]
        else:
            key = int(leading_integer(segment) or 0)
            current = current.items[key] if isinstance(current, Gapped) else current[key]  # type: ignore[index]
    index = leading_integer(segments[place])
    if index is None or index > _HIGHEST_INDEX:
        return False
    if isinstance(current, Gapped):
        current.length = int(index)
    elif isinstance(parent, Gapped):
        parent.items[int(key)] = Gapped(current, int(index))  # type: ignore[arg-type]
    else:
        parent[key] = Gapped(current, int(index))  # type: ignore[index,call-overload,arg-type,assignment]
    return True


def _is_index(segments: list[str], place: int, last: str) -> bool:
    following = segments[place + 1] if place + 1 < len(segments) else last
    return following.isascii() and following.isdigit()


def _array_index(segment: str, length: int, place: int, notes: Notes | None) -> int:
    index = leading_integer(segment)
    if index is None or index < 0:
        raise error("bad_index", place, segment=segment)
    if index > length:
        raise error("array_gap", place, expected=length, got=shown(index))
    if notes is not None and str(index) != segment:
        notes.lenient.append(place)
    return int(index)


class Assembly:
    """The parameters of a call, built argument by argument.

    The runtime stops at the first error. Here a wrong index counts as right, and a wrong argument is left out, so that
    later ones are checked independently. Notes are kept if `notes` is given; see `assign` for `read`.

    Attributes:
        seen: The pointers so far, each with the index of its argument.
    """

    __slots__ = ("_notes", "_read", "_texts", "root", "seen")

    def __init__(self, notes: Notes | None = None, read: Callable[[Scalar], Scalar] | None = None) -> None:
        self.root: Parameters = {}
        self.seen: dict[str, int] = {}
        self._texts: Utf16 = {}
        self._notes = notes
        self._read = read

    def take(self, number: int, pointer: str, value: Scalar) -> Outcome | PointerError:
        """Put in a value; return the error at which the runtime would stop."""
        if pointer in self.seen:
            return duplicate(pointer)
        self.seen[pointer] = number
        if "/" not in pointer and pointer not in self.root and pointer != "__proto__":
            # nearly all are
            self.root[pointer] = value
            return ""
        try:
            return assign(self.root, pointer, value, self._texts, self._notes, self._read)
        except PointerError as wrong:
            if wrong.kind == "array_gap" and wrong.place is not None and forgive_gap(self.root, pointer, wrong.place):
                with suppress(PointerError):
                    assign(self.root, pointer, value, self._texts, None, self._read)
            return wrong.with_traceback(None)
