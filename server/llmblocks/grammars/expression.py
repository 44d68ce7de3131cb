"""Grammars as values: named expressions over characters, and the regular expressions that they are read from."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Final, NamedTuple

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
    style: str = ""
    """In a pattern, "?" for the shortest match, "+" for the longest one alone."""


class Except(NamedTuple):
    """The texts of a part without the `excluded` ones. Neither part has a `RuleName`."""

    part: Expression
    excluded: Expression


class RuleName(NamedTuple):
    name: str


class Sign(NamedTuple):
    """A character, a class or an anchor of a pattern."""

    source: str


class Capture(NamedTuple):
    """A named group of a pattern."""

    part: Expression
    name: str


class Ahead(NamedTuple):
    """A look-ahead of a pattern."""

    part: Expression


Expression = Literal | Chars | Sequence | Choice | Repeat | Except | RuleName | Sign | Capture | Ahead
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


EVERY: Final = Chars(((0, 0xD7FF), (0xE000, LARGEST)))
"""Any character at all."""
ALL: Final = Repeat(EVERY, 0, None)
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
    return Except(part, sequence(ALL, stop, EVERY, ALL))


def anywhere(stop: Expression) -> Expression:
    """Return all texts that hold a `stop`."""
    return sequence(ALL, stop, ALL)


def is_regular(part: Expression) -> bool:
    """Return whether a part has no name in it."""
    match part:
        case Sequence(parts) | Choice(parts):
            return all(map(is_regular, parts))
        case Repeat(inner):
            return is_regular(inner)
        case _:
            return not isinstance(part, RuleName)


def may_be_empty(part: Expression) -> bool:
    """Return whether the empty text is one of the texts of a regular part."""
    match part:
        case Literal(text):
            return not text
        case Choice(parts):
            return any(map(may_be_empty, parts))
        case Repeat(inner, least):
            return not least or may_be_empty(inner)
        case Except(inner, excluded):
            return may_be_empty(inner) and not may_be_empty(excluded)
        case _:
            return isinstance(part, Sequence) and all(map(may_be_empty, part.parts))


_GROUP = re.compile(r"\((?:\?:|\?P?<([A-Za-z_][A-Za-z0-9_]*)>|(\?=)|(?!\?))")
_CHAR = r"\\(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|[sSwWdDntrfvAZz]|[^A-Za-z0-9])|[^\\]"
_SIGN = re.compile(rf"\[\^?\]?(?:\\.|[^\\\]])*\]|(?![(\[])(?:{_CHAR})", re.DOTALL)
_REPEAT = re.compile(r"(?:([?*+])|\{(?=,?[0-9])([0-9]*)(,?)([0-9]*)\})([?+]?)")
_RANGE = re.compile(rf"({_CHAR})(?:-({_CHAR}))?", re.DOTALL)
_WORD: Final = chars_in((ord("0"), ord("9")), (ord("A"), ord("Z")), (ord("a"), ord("z")), (ord("_"), ord("_")))
_BLANK: Final = chars(" \t\n")
_CLASSES: Final = {"w": _WORD, "d": DIGIT, "s": _BLANK}
_CONTROLS: Final = {"n": "\n", "t": "\t", "r": "\r"}


class PatternError(ValueError):
    """The reason why a pattern cannot be used."""


class PatternReader:
    """Reads a regular expression: one with the `Sign`, `Capture` and `Ahead` of its text. Raises `PatternError`."""

    def __init__(self, source: str) -> None:
        self._source = source
        self._at = 0

    def read(self, end: str = "") -> Expression:
        """Return the alternatives up to an end."""
        parts = [self._sequence()]
        while self._source.startswith("|", self._at):
            self._at += 1
            parts.append(self._sequence())
        if self._source[self._at : self._at + 1] != end:
            raise PatternError("a group is not closed" if end else "a bracket closes no group")
        self._at += 1
        return Choice((*parts,)) if len(parts) > 1 else parts[0]

    def _sequence(self) -> Expression:
        parts: list[Expression] = []
        while self._at < len(self._source) and self._source[self._at] not in "|)":
            part = self._single()
            if count := _REPEAT.match(self._source, self._at):
                self._at = count.end()
                sign, low, comma, high, style = count.groups()
                least = int(sign == "+") if sign else int(low or 0)
                most = (1 if sign == "?" else None) if sign else int(high) if high else None if comma else least
                part = Repeat(part, least, most, style)
            parts.append(part)
        return Sequence((*parts,))

    def _single(self) -> Expression:
        if group := _GROUP.match(self._source, self._at):
            self._at = group.end()
            part = self.read(")")
            return Ahead(part) if group[2] else Capture(part, group[1]) if group[1] else part
        sign = _SIGN.match(self._source, self._at)
        if sign is None:
            raise PatternError(
                "look-arounds, back-references, boundaries and flags need more than a bounded look-ahead"
            )
        self._at = sign.end()
        return Sign(sign[0])


def read(
    source: str,
    groups: Mapping[str, Callable[[Expression], Expression]] = {},
    ahead: Callable[[Expression], Expression] | None = None,
    start: Expression | None = None,
) -> Expression:
    """Read a regular expression as an expression of a grammar. Raises `PatternError`.

    `groups` make expressions of the named groups, `ahead` of look-aheads, and `start` stands for `^`. A class has fewer
    characters here, such as ASCII letters alone, and white space has a limit.
    """

    def made(part: Expression) -> Expression:
        match part:
            case Sequence(parts):
                return sequence(*map(made, parts))
            case Choice(parts):
                return choice(map(made, parts))
            case Repeat(inner, least, most):
                found = made(inner)
                if found == _BLANK and most is None:
                    return BLANKS if not least else sequence(_BLANK, BLANKS)
                return Repeat(found, least, most)
            case Capture(inner, name):
                return groups[name](made(inner)) if name in groups else made(inner)
            case Ahead(inner) if ahead is not None:
                return ahead(made(inner))
            case Sign("^") if start is not None:
                return start
            case Sign(sign) if sign not in "^$*+?":
                return _of_sign(sign)
        raise PatternError(f"a grammar cannot express {source!r}")

    return made(PatternReader(source).read())


def _of_sign(source: str) -> Expression:
    if source[0] != "[":
        return ANY if source == "." else _char(source)
    negated = source.startswith("^", 1)
    ranges: list[tuple[int, int]] = []
    for low, high in _RANGE.findall(source[1 + negated : -1]):
        first, last = _char(low), _char(high or low)
        if isinstance(first, Literal) and isinstance(last, Literal):
            ranges.append((ord(first.text), ord(last.text)))
        elif high or isinstance(first, Literal):
            raise PatternError(f"a grammar cannot express {source!r}")
        else:
            ranges += first.ranges
    return others(ANY, chars_in(*ranges)) if negated else chars_in(*ranges)


def _char(source: str) -> Literal | Chars:
    sign = source.removeprefix("\\") or source
    if sign == source:
        return Literal(source)
    if found := _CLASSES.get(sign.lower()):
        return found if sign.islower() else others(ANY, found)
    if sign[1:]:
        return Literal(chr(int(sign[1:], 16)))
    if sign.isalnum() and sign not in _CONTROLS:
        raise PatternError(f"a grammar cannot express {source!r}")
    return Literal(_CONTROLS.get(sign, sign))
