"""The problems of arguments of calls, each read as a whole; parameters are built as by llmist."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from llmblocks.gadget.syntax.values import METHODS, SPACE, coerce, rounded, shown
from oracle.calls import Argument, Place, arguments_of, calls_in
from oracle.tokens import ERROR, INFORMATION, RESET, WARNING, Found, Token

CODES = (
    *("G101", "G102", "G103", "G104", "G105", "G106", "G107", "G108", "G109", "G115", "G116", "G117", "G118"),
    *("G119", "G121"),
)
"""The codes of what is found here; G120 is not: no text here nests so deeply."""

_FENCE = "`" * 3
_MOST_RELATED = 8
_NEVER_MADE = frozenset(
    [
        *("__proto__", "__defineGetter__", "__defineSetter__", "__lookupGetter__", "__lookupSetter__"),
        *("constructor", "hasOwnProperty", "isPrototypeOf", "propertyIsEnumerable", "toLocaleString"),
        *("toString", "valueOf"),
    ]
)
"""The inherited properties of a JavaScript object."""


def line_ends(text: str, tokens: list[Token], chat: bool) -> Iterator[bool]:
    """Yield for each token whether CRLF is read as LF, as in one of the dialects; in all other texts, CR is content."""
    crlf = coming = chat
    for token in tokens:
        if token.kind == RESET:
            crlf, coming = coming, chat
        if token.kind == "message-name":
            coming = text[text.rfind("\n", 0, token.start) + 1 :].removeprefix("\ufeff")[:1] == "@"
        yield crlf


def of_calls(text: str, tokens: list[Token], chat: bool) -> Iterator[Found]:
    """Yield the findings of all calls of a text."""
    read = [*line_ends(text, tokens, chat)]
    for call in calls_in(text, tokens):
        # the line ends of its last token: a message that ends it may begin another dialect
        crlf = read[call.number + 1 + (call.header.start < call.header.end) + len(call.inside)]
        yield from _of_call(text, arguments_of(text, call.inside), call.end.kind == "end", crlf)


def _of_call(text: str, arguments: list[Argument], closed: bool, crlf: bool) -> Iterator[Found]:
    values: list[object] = []
    for number, argument in enumerate(arguments):
        last = number + 1 == len(arguments)
        blank = not "".join(text[at] for at in argument.characters).strip(SPACE)
        if last and blank and argument.pointer.endswith(_FENCE):
            # the pointer is the end of the body
            pointer = argument.pointer.removesuffix(_FENCE).strip(SPACE)
            arguments[number] = argument = argument._replace(pointer=pointer)
        received, found = _value(text, argument, last, closed, crlf)
        values.append(coerce(received))
        # without a pointer, the whole value is dropped
        yield from found if argument.pointer else ()
    parameters = _Parameters(text, arguments, values)
    for number, argument in enumerate(arguments):
        yield from _forms(argument)
        if argument.pointer:
            yield from parameters.take(number)


def _value(text: str, argument: Argument, last: bool, closed: bool, crlf: bool) -> tuple[str, list[Found]]:
    """Return the text of a value as the gadget gets it, and what has happened to it."""
    places = argument.characters
    written = "".join(text[at] for at in places)
    # line ends: each is one character with a place, as long as it takes
    ends = [*range(len(places))]
    if crlf:
        ends = [at for at in ends if written[at : at + 2] != "\r\n"]
    read = "".join(written[at] for at in ends)
    found: list[Found] = []
    kept = len(read)
    fence = -1
    if last:
        kept = len(read.rstrip(SPACE))
        if read[:kept].endswith(_FENCE):
            fence = kept - 3
            kept = len(read[:fence].rstrip(SPACE))
    elif read.endswith("\n"):
        kept -= 1

    def place(start: int, end: int) -> Place:
        first = ends[start]
        if crlf and read[start] == "\n" and written[first - 1 : first] == "\r":
            first -= 1
        return places[first], places[ends[end - 1]] + 1

    value = coerce(read[:kept])
    digits = read[:kept].strip(SPACE)
    if isinstance(value, int | float) and not isinstance(value, bool) and rounded(digits):
        start = read.index(digits)
        says = re.escape("Number with too many digits: ") + ".* — " + re.escape(f"llmist reads {shown(value)};")
        found.append(Found(*place(start, start + len(digits)), "G118", says + ".*", severity=WARNING))
    if isinstance(value, str) and "\r" in value:
        start = value.index("\r")
        end = start + 1 + (read[start + 1 : start + 2] == "\n")
        found.append(Found(*place(start, end), "G117", "Carriage return inside a value — .*", severity=WARNING))
    is_inline = fence >= 0 and bool(read[:fence].rpartition("\n")[2].strip(" \t"))
    if fence >= 0 and (is_inline or len(re.findall("`{3,}", read[:kept])) % 2):
        says = "Closing code fence at the end of a call — .*"
        found.append(Found(*place(fence, fence + 3), "G115", says, severity=WARNING))
    elif fence >= 0 and not read[:fence].strip(" \t"):
        says = "Code fence as the last value of a call — .*"
        found.append(Found(*place(fence, fence + 3), "G115", says, severity=WARNING))
    if last and closed:
        end = fence if fence >= 0 else len(read)
        # what indents the end marker was not meant to be a value
        line = read[:end].rpartition("\n")[2]
        if not line.strip(" \t"):
            end -= len(line)
            end -= read[:end].endswith("\n")
            end -= read[:end].endswith("\r")
        if end > kept and repr(coerce(read[:end])) != repr(value):
            says = "White space at the end of the last value — .*"
            found.append(Found(*place(kept, end), "G116", says, severity=INFORMATION))
    return read[:kept], found


def _forms(argument: Argument) -> Iterator[Found]:
    start, pointer = argument.start, argument.pointer
    if not pointer:
        yield Found(*argument.marker, "G106", "Argument without a pointer — .*", severity=WARNING)
    for found in re.finditer("~[01]", pointer):
        says = f"`{found[0]}` in a pointer — .*"
        yield Found(start + found.start(), start + found.end(), "G119", says, severity=INFORMATION)
    # of several slashes the first is right, if there is something before them and after them
    for found in re.finditer("(?<=[^/]/)/+(?=[^/])|^/+|/+$", pointer):
        says = re.escape(f"Empty segment in `{pointer}` — ") + ".*"
        yield Found(start + found.start(), start + found.end(), "G108", says, severity=WARNING)


class _Array:
    """`length` is what the next index may be at most."""

    def __init__(self) -> None:
        self.items: dict[int, Any] = {}
        self.length = 0


class _WrongError(Exception):
    """`end` is 0 for the whole pointer."""

    def __init__(self, code: str, says: str, start: int = 0, end: int = 0, related: tuple[int, ...] = ()) -> None:
        super().__init__(code)
        self.code, self.says, self.start, self.end, self.related = code, says, start, end, related


class _Leaf(NamedTuple):
    number: int


class _Parameters:
    """The parameters of a call. An index after a gap counts as right, so that what follows is judged on its own."""

    def __init__(self, text: str, arguments: list[Argument], values: list[object]) -> None:
        self.text, self.arguments, self.values = text, arguments, values
        self.seen: dict[str, int] = {}
        self.root: dict[str, Any] = {}

    def take(self, number: int) -> list[Found]:
        argument = self.arguments[number]
        pointer, start = argument.pointer, argument.start
        if pointer in self.seen:
            first = self.seen[pointer]
            says = re.escape(f"Duplicate pointer: {pointer} — ") + f".*first given {self._where(first, start)}(?!\\w).*"
            return [Found(*argument.place, "G101", says, (self.arguments[first].place,))]
        self.seen[pointer] = number
        lenient: list[Found] = []
        try:
            lost = self._put(pointer.split("/"), number, lenient)
            if lost is None:
                says = re.escape(f"`{pointer}` gives no value — ") + ".*"
                end = start + len(pointer)
                return [Found(end - len("__proto__"), end, "G121", says, severity=WARNING), *lenient]
        except _WrongError as wrong:
            place = (start + wrong.start, start + wrong.end) if wrong.end else argument.place
            if wrong.code == "G103":
                place = (start + wrong.start, start + wrong.end)
            related = tuple(self.arguments[other].place for other in wrong.related)
            return [Found(*place, wrong.code, wrong.says, related)]
        if not lost:
            return lenient
        says = re.escape(f"`{pointer}` replaces values given before it — ")
        says += f".*the values given {self._where(lost[0], start)}; .*"
        related = tuple(self.arguments[other].place for other in lost[:_MOST_RELATED])
        return [Found(*argument.place, "G105", says, related, WARNING), *lenient]

    def _where(self, first: int, start: int) -> str:
        lines = self.text[self.arguments[first].start : start].count("\n")
        return "on this line" if not lines else f"{lines} line{'' if lines == 1 else 's'} above"

    def _put(self, segments: list[str], number: int, lenient: list[Found]) -> list[int] | None:
        """Put a value at its place; returns the numbers of those that it replaces, or None if it is put nowhere."""
        current: Any = self.root
        gap: _WrongError | None = None
        at = 0
        for place, segment in enumerate(segments):
            key: str | int = segment
            if isinstance(current, _Leaf):
                if gap is None:
                    self._below(current, segments[place:], "/".join(segments), place)
                    return None
                return []
            if isinstance(current, _Array):
                try:
                    key = self._index(current, segment, at)
                except _WrongError as wrong:
                    if gap is not None:
                        raise gap from None
                    if wrong.code != "G102":
                        raise
                    gap, key = wrong, int(float(_integer(segment)))
                    if key > 1 << 53:
                        raise
                current.length = max(current.length, key + 1)
                if str(key) != segment:
                    start = self.arguments[number].start + at
                    says = re.escape(f"Lenient array index: {segment} — llmist reads it as {key}; ") + ".*"
                    lenient.append(Found(start, start + len(segment), "G109", says, severity=WARNING))
            holder: dict[Any, Any] = current.items if isinstance(current, _Array) else current
            if place + 1 == len(segments):
                old = None
                if key != "__proto__":
                    old = holder.get(key)
                    holder[key] = _Leaf(number)
                if gap is not None:
                    raise gap
                if key == "__proto__":
                    return None
                return [] if old is None else [*_leaves(old)]
            if key not in holder:
                if key in _NEVER_MADE and isinstance(current, dict):
                    if gap is not None:
                        raise gap
                    raise self._unsafe(segments, place, ())
                holder[key] = _Array() if re.fullmatch("[0-9]+", segments[place + 1]) else {}
            current = holder[key]
            at += len(segment) + 1
        raise AssertionError

    def _index(self, array: _Array, segment: str, at: int) -> int:
        index = float(_integer(segment)) if _integer(segment) else -1.0
        if index < 0:
            says = re.escape(f"Invalid array index: {segment} — ") + ".*"
            raise _WrongError("G103", says, at, at + len(segment))
        if index > array.length:
            says = re.escape(f"Array index gap: expected {array.length}, got {shown(index)} — ") + ".*"
            raise _WrongError("G102", says, at, at + len(segment))
        return int(index)

    def _below(self, leaf: _Leaf, segments: list[str], pointer: str, place: int) -> None:
        """Return JavaScript's error for a property of a value that is not an object."""
        value: Any = self.values[leaf.number]
        for number, segment in enumerate(segments):
            last = number + 1 == len(segments)
            units = value.encode("utf-16-le", "surrogatepass") if isinstance(value, str) else b""
            index = int(segment) if re.fullmatch("0|[1-9][0-9]{0,14}", segment) else -1
            is_character = 0 <= index < len(units) // 2
            if last and segment == "__proto__":
                return
            if not last and (segment in _NEVER_MADE or segment in METHODS[type(value)]):
                raise self._unsafe(pointer.split("/"), place + number, (leaf.number,))
            if isinstance(value, str) and (segment == "length" or is_character):
                if last:
                    says = f"Cannot assign to read only property '{segment}' of string '{_quoted(value)}' — "
                    raise _WrongError("G104", re.escape(says) + ".*", related=(leaf.number,))
                unit = units[2 * index : 2 * index + 2].decode("utf-16-le", "surrogatepass")
                value = len(units) // 2 if segment == "length" else unit
                continue
            kind, told = "string", value
            if isinstance(value, bool):
                kind, told = "boolean", str(value).lower()
            elif not isinstance(value, str):
                kind, told = "number", shown(value)
            says = f"Cannot create property '{segment}' on {kind} '{_quoted(told)}' — "
            raise _WrongError("G104", re.escape(says) + ".*", related=(leaf.number,))

    def _unsafe(self, segments: list[str], place: int, related: tuple[int, ...]) -> _WrongError:
        at = sum(len(each) + 1 for each in segments[:place])
        says = re.escape(f"Unsafe pointer: {'/'.join(segments)} — ") + ".*"
        return _WrongError("G107", says, at, at + len(segments[place]), related)


def _integer(segment: str) -> str:
    found = re.match(rf"[{SPACE}]*([+-]?[0-9]+)", segment)
    return found[1] if found else ""


def _leaves(node: Any) -> list[int]:
    if isinstance(node, _Leaf):
        return [node.number]
    children = node.items if isinstance(node, _Array) else node
    return [leaf for child in children.values() for leaf in _leaves(child)]


def _quoted(text: str) -> str:
    return text if len(text) <= 100 else text[:99] + "…"


assert Found(0, 0, "", "").severity == ERROR
