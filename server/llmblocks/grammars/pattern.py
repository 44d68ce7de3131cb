"""Regular expressions of templates and schemas as expressions of grammars."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final

from llmblocks.grammars.expression import (
    ANY,
    BLANKS,
    DIGIT,
    Chars,
    Expression,
    Literal,
    Repeat,
    chars,
    chars_in,
    choice,
    others,
    sequence,
)

_COUNT = re.compile(r"\{([0-9]+)(,?)([0-9]*)\}")
_CODE = re.compile(r"\\x([0-9a-fA-F]{2})|\\u([0-9a-fA-F]{4})")
_GROUP = re.compile(r"\((?:\?:|\?P?<([A-Za-z_][A-Za-z0-9_]*)>|\?=|(?!\?))")
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


class PatternReader:
    """Reads a regular expression.

    `groups` make expressions of the named groups, `ahead` of look-aheads, and `start` stands for `^`. A class has fewer
    characters here, such as ASCII letters alone, and white space has a limit; it has all of its white space, without a
    limit, if it is `wide`, for texts that a grammar refuses.

    Raises `ValueError` for what a grammar cannot express.
    """

    def __init__(
        self,
        source: str,
        groups: Mapping[str, Callable[[Expression], Expression]] | None = None,
        ahead: Callable[[Expression], Expression] | None = None,
        start: Expression | None = None,
        *,
        wide: bool = False,
    ) -> None:
        self._source = source
        self._at = 0
        self._groups = groups or {}
        self._ahead = ahead
        self._start = start
        self._wide = wide

    def read(self) -> Expression:
        """Return the expression of all of it."""
        found = self._alternatives()
        if self._at < len(self._source):
            raise self._refused()
        return found

    def _alternatives(self) -> Expression:
        parts = [self._sequence()]
        while self._source.startswith("|", self._at):
            self._at += 1
            parts.append(self._sequence())
        return choice(parts)

    def _sequence(self) -> Expression:
        parts: list[Expression] = []
        while self._at < len(self._source) and self._source[self._at] not in "|)":
            parts.append(self._repeated())
        return sequence(*parts)

    def _repeated(self) -> Expression:
        part = self._single()
        sign = self._source[self._at : self._at + 1]
        if sign and sign in "?*+":
            self._at += 1
            least, most = int(sign == "+"), 1 if sign == "?" else None
        elif counted := _COUNT.match(self._source, self._at):
            self._at = counted.end()
            least = int(counted[1])
            most = int(counted[3]) if counted[3] else None if counted[2] else least
        else:
            return part
        if self._source.startswith(("?", "+"), self._at):
            self._at += 1
        if part == _BLANK and most is None and not self._wide:
            return BLANKS if not least else sequence(_BLANK, BLANKS)
        return Repeat(part, least, most)

    def _single(self) -> Expression:
        sign = self._source[self._at]
        if sign == "(":
            return self._group()
        if sign == "[":
            return self._class()
        if sign == "\\":
            return self._escape()
        if sign == "^" and self._start is not None:
            self._at += 1
            return self._start
        if sign in "^$*+?{":
            raise self._refused()
        self._at += 1
        return ANY if sign == "." else Literal(sign)

    def _group(self) -> Expression:
        found = _GROUP.match(self._source, self._at)
        if not found:
            raise self._refused()
        self._at = found.end()
        inner = self._alternatives()
        if not self._source.startswith(")", self._at):
            raise self._refused()
        self._at += 1
        if found[0] == "(?=":
            if self._ahead is None:
                raise self._refused()
            return self._ahead(inner)
        return self._groups[found[1]](inner) if found[1] in self._groups else inner

    def _escape(self) -> Literal | Chars:
        sign = self._source[self._at + 1 : self._at + 2]
        if sign in _CLASSES:
            self._at += 2
            return _SPACE if self._wide and sign == "s" else _CLASSES[sign]
        if code := _CODE.match(self._source, self._at):
            self._at = code.end()
            return Literal(chr(int(code[1] or code[2], 16)))
        if not sign or (sign.isalnum() and sign not in _CONTROLS):
            raise self._refused()
        self._at += 2
        return Literal(_CONTROLS.get(sign, sign))

    def _class(self) -> Chars:
        self._at += 1
        negated = self._source.startswith("^", self._at)
        self._at += negated
        ranges: list[tuple[int, int]] = []
        first = True
        while first or not self._source.startswith("]", self._at):
            first = False
            part = self._sign()
            if isinstance(part, Chars):
                ranges += part.ranges
                continue
            low = high = part
            if self._source.startswith("-", self._at) and not self._source.startswith("-]", self._at):
                self._at += 1
                end = self._sign()
                if isinstance(end, Chars):
                    raise self._refused()
                high = end
            ranges.append((low, high))
        self._at += 1
        found = chars_in(*ranges)
        return others(ANY, found) if negated else found

    def _sign(self) -> int | Chars:
        if self._source.startswith("\\", self._at):
            part = self._escape()
            return part if isinstance(part, Chars) else ord(part.text)
        if self._at >= len(self._source):
            raise self._refused()
        self._at += 1
        return ord(self._source[self._at - 1])

    def _refused(self) -> ValueError:
        return ValueError(f"a grammar cannot express {self._source!r} from character {self._at}")
