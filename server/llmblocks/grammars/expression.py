"""Grammars as values: named expressions over characters."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

LARGEST: Final = 0x10FFFF


class Literal(NamedTuple):
    """A literal."""

    text: str


class Chars(NamedTuple):
    """One character. Inclusive ranges of code points, in order, apart from each other."""

    ranges: tuple[tuple[int, int], ...]


class Sequence(NamedTuple):
    """Parts, one after the other; nothing without any."""

    parts: tuple[Expression, ...]


class Choice(NamedTuple):
    """One of several parts."""

    parts: tuple[Expression, ...]


class Repeat(NamedTuple):
    """A part, from `least` to `most` times."""

    part: Expression
    least: int
    most: int | None
    """None for any number."""


class Except(NamedTuple):
    """The texts of a part without the `excluded` ones. Neither part has a `RuleName`."""

    part: Expression
    excluded: Expression


class RuleName(NamedTuple):
    """The expression with a name."""

    name: str


Expression = Literal | Chars | Sequence | Choice | Repeat | Except | RuleName
NOTHING: Final = Sequence(())


class Grammar(NamedTuple):
    """A grammar. The first of the rules is the start; `notes` list what it does not enforce, or leaves out."""

    rules: Mapping[str, Expression]
    notes: tuple[str, ...] = ()


def chars(signs: str) -> Chars:
    """Return one of some characters."""
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
    """Return one of some literals."""
    return choice(map(Literal, literals))


def optional(part: Expression) -> Expression:
    """Return a part, or nothing."""
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
