"""Argument pointers: the places of values in the parameters, and their errors."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, Literal

from llmblocks.core.chunks import expect_text
from llmblocks.facts.rule import NO_DATA, Rule
from llmblocks.gadget import rules
from llmblocks.gadget.syntax.values import METHODS, Scalar, leading_integer, shown, type_of

Value = Scalar | list["Value"] | dict[str, "Value"]
Parameters = dict[str, Value]
Outcome = Literal["", "overwritten", "ignored"]

NESTING_LIMIT = 1000
_OF_OBJECTS = (
    "__proto__ __defineGetter__ __defineSetter__ __lookupGetter__ __lookupSetter__ constructor hasOwnProperty "
    "isPrototypeOf propertyIsEnumerable toLocaleString toString valueOf"
)
INHERITED: Final = frozenset(_OF_OBJECTS.split())
"""The inherited properties of every JavaScript object: a pointer below one would write into the runtime."""

_HIGHEST_INDEX: Final = 1 << 53
_QUOTED: Final = 100
"""The maximum length of a quoted text: every pointer below a text quotes it."""


ErrorKind = Literal["duplicate_pointer", "array_gap", "bad_index", "scalar_parent", "unsafe_pointer", "nesting"]

ROWS: Final[Mapping[ErrorKind, Rule]] = {
    "duplicate_pointer": rules.G101_DUPLICATE_POINTER,
    "array_gap": rules.G102_ARRAY_INDEX_GAP,
    "bad_index": rules.G103_INVALID_ARRAY_INDEX,
    "scalar_parent": rules.G104_POINTER_CONFLICT,
    "unsafe_pointer": rules.G107_UNSAFE_POINTER,
    "nesting": rules.G120_POINTER_TOO_DEEP,
}


def decode_pointer(text: str) -> tuple[str | int, ...]:
    """Split an argument pointer into object keys and array indices.

    "users/0/name" -> ("users", 0, "name"); "" -> (); "01" stays a key. Never raises; rule G102 checks gaps between
    indices.

    Source: the gadget block format, "Parameter Pointer Syntax".
    """
    expect_text(text, "decode_pointer")
    return tuple(_index_or_key(segment) for segment in text.split("/")) if text else ()


class PointerError(ValueError):
    """The error of a pointer: `place` is the index of the wrong segment, or None; `data` fill the words of its rule."""

    def __init__(
        self, kind: ErrorKind, message: str, place: int | None = None, data: Mapping[str, object] = NO_DATA
    ) -> None:
        self.kind = kind
        self.message = message
        self.place = place
        self.data = data

    def __str__(self) -> str:
        return self.message

    def span(self, pointer: str) -> tuple[int, int]:
        """Return the wrong part of the pointer."""
        if self.place is None:
            return 0, len(pointer)
        segments = pointer.split("/")
        start = sum([len(segment) + 1 for segment in segments[: self.place]])
        return start, start + len(segments[self.place])


class Gapped(dict[int, "Node"]):
    """The elements of an array after a gap, by index. `length` is one more than the highest index."""

    __slots__ = ("length",)

    def __init__(self, items: list[Value], length: int) -> None:
        super().__init__(enumerate(items))
        self.length = length


Node = Value | Gapped


class Assembly:
    """The parameters of a call, built argument by argument.

    The runtime stops at the first error. Here a wrong index counts as right, and a wrong argument is left out. `read`
    returns the value for its stand-in in `root`, where a pointer leads below it. `seen` has the arguments by pointer,
    `lenient` the segments that the runtime reads as another index, `replaced` the previous value at the last place,
    `blocking` the scalar that the last pointer leads below.
    """

    __slots__ = ("_gap", "_read", "blocking", "lenient", "replaced", "root", "seen")

    def __init__(self, read: Callable[[Scalar], Scalar] = lambda value: value) -> None:
        self.root: Parameters = {}
        self.seen: dict[str, int] = {}
        self.lenient: list[int] = []
        self.replaced: Node | None = None
        self.blocking: Scalar | None = None
        self._read = read
        self._gap: PointerError | None = None

    def take(self, number: int, pointer: str, value: Scalar) -> Outcome | PointerError:
        """Put a value at its pointer, in new dicts and lists; return what happened, or the error of the runtime."""
        if pointer in self.seen:
            return _error("duplicate_pointer", None, pointer=pointer)
        self.seen[pointer] = number
        if "/" not in pointer and pointer not in self.root and pointer != "__proto__":
            # nearly all are
            self.root[pointer] = value
            return ""
        self.blocking = self._gap = None
        try:
            outcome = self._assign(pointer, value)
        except PointerError as wrong:
            return self._gap or wrong.with_traceback(None)
        return self._gap or outcome

    def _assign(self, pointer: str, value: Scalar) -> Outcome:
        segments = pointer.split("/")
        if len(segments) > NESTING_LIMIT:
            raise _error("nesting", None, count=len(segments), most=NESTING_LIMIT)
        current: Any = self.root
        holder: Any = {}
        name = key = segments[-1]
        for place, segment in enumerate(segments):
            key = segment
            if isinstance(current, (list, Gapped)):
                current, key = self._element(current, segment, place)
                holder[name] = current
            elif not isinstance(current, dict):
                if self._gap is None:
                    self.blocking = current
                self._follow(self._read(current), segments, pointer, place)
                return "ignored"
            if place + 1 == len(segments):
                break
            child = _child(current, key)
            if child is None:
                if key in INHERITED:
                    raise _unsafe(pointer, segment, place, "object")
                following = segments[place + 1]
                child = [] if following.isascii() and following.isdigit() else {}
                _put(current, key, child)
            holder, name, current = current, key, child
        if key == "__proto__":
            return "ignored"
        self.replaced = _child(current, key)
        _put(current, key, value)
        return "" if self.replaced is None else "overwritten"

    def _element(self, array: list[Value] | Gapped, segment: str, place: int) -> tuple[list[Value] | Gapped, Any]:
        """Return the index in a segment, and the array, which accepts a value there."""
        index = leading_integer(segment)
        if index is None or index < 0:
            raise _error("bad_index", place, segment=segment)
        length = array.length if isinstance(array, Gapped) else len(array)
        if index > length:
            self._gap = self._gap or _error("array_gap", place, expected=length, got=shown(index))
            if index > _HIGHEST_INDEX:
                raise self._gap
            if isinstance(array, list):
                array = Gapped(array, length)
        elif str(index) != segment:
            self.lenient.append(place)
        return array, int(index)

    def _follow(self, current: Scalar, segments: list[str], pointer: str, place: int) -> None:
        """Return only if the runtime drops a value below a scalar; otherwise raise the `PointerError`."""
        *path, last = segments[place:]
        for at, segment in enumerate(path, place):
            if segment in INHERITED:
                raise _unsafe(pointer, segment, at, "object")
            if segment in METHODS[type(current)]:
                raise _unsafe(pointer, segment, at, type_of(current))
            part = _part(current, segment)
            if part is None:
                raise _no_room(current, segment)
            current = part
        if last == "__proto__":
            return
        if _part(current, last) is not None:
            raise _error("scalar_parent", None, case="read-only", segment=last, value=_quoted(current))
        raise _no_room(current, last)


def _part(current: Scalar, segment: str) -> Scalar | None:
    """Return a character of a text, or its length, as in JavaScript; None if it is not one of these."""
    index = _index_or_key(segment)
    if not isinstance(current, str) or (index != "length" and isinstance(index, str)):
        return None
    if current.isascii():
        return len(current) if isinstance(index, str) else current[index : index + 1] or None
    units = current.encode("utf-16-le", "surrogatepass")
    if isinstance(index, str):
        return len(units) // 2
    return units[2 * index : 2 * index + 2].decode("utf-16-le", "surrogatepass") or None


def _child(node: Any, key: Any) -> Node | None:
    if isinstance(node, list):
        return node[key] if key < len(node) else None
    found: Node | None = node.get(key)
    return found


def _put(node: Any, key: Any, value: Value) -> None:
    if isinstance(node, list) and key == len(node):
        node.append(value)
        return
    node[key] = value
    if isinstance(node, Gapped):
        node.length = max(node.length, key + 1)


def _index_or_key(segment: str) -> str | int:
    """Return an array index as an `int`, anything else unchanged."""
    # with a leading zero, or more digits than the length of any list, it is a key
    if segment.isascii() and segment.isdigit() and len(segment) < 16 and (segment == "0" or segment[0] != "0"):
        return int(segment)
    return segment


def _error(kind: ErrorKind, place: int | None, **data: object) -> PointerError:
    """Return the error of a kind, in the words of its rule."""
    row = ROWS[kind]
    # the runtime has no message for these
    is_ours = row in (rules.G107_UNSAFE_POINTER, rules.G120_POINTER_TOO_DEEP)
    message = str(row.message(data)) if is_ours else row.says(data)
    return PointerError(kind, message, place, data)


def _unsafe(pointer: str, segment: str, place: int, owner: str) -> PointerError:
    return _error("unsafe_pointer", place, pointer=pointer, segment=segment, owner=owner)


def _no_room(current: Scalar, segment: str) -> PointerError:
    kind = type_of(current).replace("text", "string")
    return _error("scalar_parent", None, segment=segment, type=kind, value=_quoted(current))


def _quoted(value: Scalar) -> str:
    if isinstance(value, str):
        return value if len(value) <= _QUOTED else value[: _QUOTED - 1] + "…"
    return str(value).lower() if isinstance(value, bool) else shown(value)
