"""Grammars as values: named expressions over characters, and the regular expressions that they are read from."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Final, NamedTuple, Protocol, TypeVar

LARGEST: Final = 0x10FFFF


class Literal(NamedTuple):
    text: str


class Chars(NamedTuple):
    """One character. Inclusive ranges of code points, in order, apart from each other."""

    ranges: tuple[tuple[int, int], ...]


class Sequence(NamedTuple):
    """Parts, one after the other; nothing without any."""

    parts: tuple[Expression, ...]


class Choice(NamedTuple):
    parts: tuple[Expression, ...]


class Repeat(NamedTuple):
    """A part, from `least` to `most` times."""

    part: Expression
    least: int
    most: int | None


class Except(NamedTuple):
    """The texts of a part without the `excluded` ones. Neither part has a `RuleName`."""

    part: Expression
    excluded: Expression


class RuleName(NamedTuple):
    name: str


Expression = Literal | Chars | Sequence | Choice | Repeat | Except | RuleName
NOTHING: Final = Sequence(())


class Grammar(NamedTuple):
    """A grammar. The first of the rules is the start; `notes` list what it does not enforce, or leaves out."""

    rules: Mapping[str, Expression]
    notes: tuple[str, ...] = ()


def chars(signs: str) -> Chars:
    return chars_in(*[(ord(sign), ord(sign)) for sign in signs])


def chars_in(*ranges: tuple[int, int]) -> Chars:
    """Return one of the characters in some ranges."""
    found: list[tuple[int, int]] = []
    for low, high in sorted(ranges):
        if found and low <= found[-1][1] + 1:
            found[-1] = found[-1][0], max(found[-1][1], high)
        else:
            found.append((low, high))
    return Chars((*found,))


def others(allowed: Chars, refused: Chars) -> Chars:
    """Return one of the allowed characters that are not refused."""
    found: list[tuple[int, int]] = []
    for low, high in allowed.ranges:
        for start, end in refused.ranges:
            if end < low or start > high:
                continue
            if start > low:
                found.append((low, start - 1))
            low = end + 1
        if low <= high:
            found.append((low, high))
    return Chars((*found,))


def contains(signs: Chars, sign: str) -> bool:
    """Return whether a character is one of some."""
    return any(low <= ord(sign) <= high for low, high in signs.ranges)


EVERY: Final = Chars(((0, 0xD7FF), (0xE000, LARGEST)))
"""Any character at all."""
_ALL: Final = Repeat(EVERY, 0, None)
ANY: Final = chars_in((9, 10), (0x20, 0x7E), (0xA0, 0xD7FF), (0xE000, 0xFFFD), (0x10000, LARGEST))
"""Any character but control characters and carriage returns, which no format needs."""
BLANKS: Final = Repeat(chars(" \t\n"), 0, 8)
"""White space between the signs of a notation. With a limit, so that a model cannot go on with it for ever."""
DIGIT: Final = chars("0123456789")


def sequence(*parts: Expression) -> Expression:
    """Return parts, one after the other. Neighbouring literals are joined."""
    found: list[Expression] = []
    for part in parts:
        for each in part.parts if isinstance(part, Sequence) else (part,):
            last = found[-1] if found else None
            if isinstance(each, Literal) and isinstance(last, Literal):
                found[-1] = Literal(last.text + each.text)
            elif each != Literal(""):
                found.append(each)
    return found[0] if len(found) == 1 else Sequence((*found,))


def choice(parts: Iterable[Expression]) -> Expression:
    """Return one of several parts, without repeats. Raises `ValueError` without any."""
    found = (*dict.fromkeys(parts),)
    if not found:
        raise ValueError("a choice of nothing")
    return found[0] if len(found) == 1 else Choice(found)


def texts(*literals: str) -> Expression:
    return choice(map(Literal, literals))


def optional(part: Expression) -> Expression:
    return Repeat(part, 0, 1)


def until(end: Expression, stop: Expression, body: Expression | None = None) -> Except:
    """Return the texts of a body, and an end. A `stop` is nowhere in it, unless it is (a part of) the end."""
    part = sequence(Repeat(ANY, 0, None) if body is None else body, end)
    return Except(part, sequence(_ALL, stop, EVERY, _ALL))


def anywhere(stop: Expression) -> Expression:
    """Return all texts that hold a `stop`."""
    return sequence(_ALL, stop, _ALL)


def parts_of(part: Expression) -> tuple[Expression, ...]:
    """Return the parts directly inside a part."""
    match part:
        case Sequence(parts) | Choice(parts):
            return parts
        case Repeat(inner):
            return (inner,)
        case Except(inner, excluded):
            return inner, excluded
        case _:
            return ()


def is_regular(part: Expression) -> bool:
    """Return whether a part has no name in it."""
    return not isinstance(part, RuleName) and all(map(is_regular, parts_of(part)))


T = TypeVar("T")
_GROUP = re.compile(r"\((?:\?:|\?P?<([A-Za-z_][A-Za-z0-9_]*)>|(\?=)|(?!\?))")
_CHAR = r"\\(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|[sSwWdDntrfvAZz]|[^A-Za-z0-9])|[^\\]"
_SIGN = re.compile(rf"\[\^?\]?(?:\\.|[^\\\]])*\]|(?![(\[])(?:{_CHAR})", re.DOTALL)
_REPEAT = re.compile(r"(?:([?*+])|\{(?=,?[0-9])([0-9]*)(,?)([0-9]*)\})([?+]?)")
_RANGE = re.compile(rf"({_CHAR})(?:-({_CHAR}))?", re.DOTALL)
_WORD: Final = chars_in((ord("0"), ord("9")), (ord("A"), ord("Z")), (ord("a"), ord("z")), (ord("_"), ord("_")))
_BLANK: Final = chars(" \t\n")
_SPACE: Final = chars(
    "\t\n\v\f\r\x1c\x1d\x1e\x1f \x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(map(chr, range(0x2000, 0x200B)))
)
_CLASSES: Final = {
    "w": _WORD,
    "d": DIGIT,
    "s": _BLANK,
    "W": others(ANY, _WORD),
    "D": others(ANY, DIGIT),
    "S": others(ANY, _BLANK),
}
_CONTROLS: Final = {"n": "\n", "t": "\t", "r": "\r"}


class PatternError(ValueError):
    """The reason why a pattern cannot be used."""


class PatternReader(Protocol[T]):
    """Reads a regular expression. Subclasses make its parts, and raise `PatternError` for those that they cannot use.

    The part of `sign` is a character, a class or an anchor. The `style` of a repeat is "?" for the shortest match, "+"
    for the longest one alone, or empty.
    """

    source: str
    at: int

    def read(self, source: str) -> T:
        """Return all of it. Raises `PatternError`."""
        self.source, self.at = source, 0
        found = self._alternatives()
        if self.at < len(source):
            raise PatternError("a bracket closes no group")
        return found

    def sign(self, source: str) -> T: ...
    def sequence(self, parts: list[T]) -> T: ...
    def choice(self, parts: list[T]) -> T: ...
    def repeat(self, part: T, least: int, most: int | None, style: str) -> T: ...
    def group(self, part: T, name: str | None) -> T: ...
    def ahead(self, part: T) -> T: ...

    def _alternatives(self) -> T:
        parts = [self._sequence()]
        while self.source.startswith("|", self.at):
            self.at += 1
            parts.append(self._sequence())
        return self.choice(parts) if len(parts) > 1 else parts[0]

    def _sequence(self) -> T:
        parts: list[T] = []
        while self.at < len(self.source) and self.source[self.at] not in "|)":
            part = self._single()
            if count := _REPEAT.match(self.source, self.at):
                self.at = count.end()
                sign, low, comma, high, style = count.groups()
                least = int(sign == "+") if sign else int(low or 0)
                most = (1 if sign == "?" else None) if sign else int(high) if high else None if comma else least
                part = self.repeat(part, least, most, style)
            parts.append(part)
        return self.sequence(parts)

    def _single(self) -> T:
        if group := _GROUP.match(self.source, self.at):
            self.at = group.end()
            part = self._alternatives()
            if not self.source.startswith(")", self.at):
                raise PatternError("a group is not closed")
            self.at += 1
            return self.ahead(part) if group[2] else self.group(part, group[1])
        sign = _SIGN.match(self.source, self.at)
        if sign is None:
            raise PatternError(
                "other look-arounds, back-references, boundaries, flags and conditions need more than a bounded "
                "look-ahead"
            )
        self.at = sign.end()
        return self.sign(sign[0])


class ExpressionReader(PatternReader[Expression]):
    """Reads a regular expression as an expression of a grammar.

    `groups` make expressions of the named groups, `ahead` of look-aheads, and `start` stands for `^`. A class has fewer
    characters here, such as ASCII letters alone, and white space has a limit; it has all of its white space, without a
    limit, if it is `wide`, for texts that a grammar refuses.
    """

    def __init__(
        self,
        groups: Mapping[str, Callable[[Expression], Expression]] | None = None,
        ahead: Callable[[Expression], Expression] | None = None,
        start: Expression | None = None,
        *,
        wide: bool = False,
    ) -> None:
        self._groups = groups or {}
        self._ahead = ahead
        self._start = start
        self._wide = wide

    def choice(self, parts: list[Expression]) -> Expression:
        return choice(parts)

    def sequence(self, parts: list[Expression]) -> Expression:
        return sequence(*parts)

    def repeat(self, part: Expression, least: int, most: int | None, style: str) -> Expression:
        if part == _BLANK and most is None and not self._wide:
            return BLANKS if not least else sequence(_BLANK, BLANKS)
        return Repeat(part, least, most)

    def group(self, part: Expression, name: str | None) -> Expression:
        return self._groups[name](part) if name is not None and name in self._groups else part

    def ahead(self, part: Expression) -> Expression:
        if self._ahead is None:
            raise self._refused()
        return self._ahead(part)

    def sign(self, source: str) -> Expression:
        if source[0] == "[":
            negated = source.startswith("^", 1)
            found = chars_in(
                *[each for pair in _RANGE.findall(source[1 + negated : -1]) for each in self._range(*pair)]
            )
            return others(ANY, found) if negated else found
        if source == "^" and self._start is not None:
            return self._start
        if source in "^$*+?":
            raise self._refused()
        return ANY if source == "." else self._char(source)

    def _range(self, low: str, high: str) -> tuple[tuple[int, int], ...]:
        first, last = self._char(low), self._char(high or low)
        if isinstance(first, Literal) and isinstance(last, Literal):
            return ((ord(first.text), ord(last.text)),)
        if high or isinstance(first, Literal):
            raise self._refused()
        return first.ranges

    def _char(self, source: str) -> Literal | Chars:
        sign = source.removeprefix("\\") or source
        if sign == source:
            return Literal(source)
        if sign in _CLASSES:
            return _SPACE if self._wide and sign == "s" else _CLASSES[sign]
        if sign[1:]:
            return Literal(chr(int(sign[1:], 16)))
        if sign.isalnum() and sign not in _CONTROLS:
            raise self._refused()
        return Literal(_CONTROLS.get(sign, sign))

    def _refused(self) -> PatternError:
        return PatternError(f"a grammar cannot express {self.source!r} up to character {self.at}")
