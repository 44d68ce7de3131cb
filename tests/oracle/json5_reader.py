"""JSON5 read character by character, from its grammar: a value, its places, or the first character that is wrong."""

from __future__ import annotations

import math
import unicodedata
from typing import Any, NamedTuple, NoReturn

_LINE_ENDS = "\n\r\u2028\u2029"
_ESCAPED = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v", "0": "\0"}
_HEX = "0123456789abcdefABCDEF"
_DIGITS = "0123456789"


class Value(NamedTuple):
    """A value at its place."""

    value: Any
    start: int
    end: int
    parts: dict[Any, Value]
    """The members of an object or items of a list, by key; of equal keys the last counts."""


class WrongError(Exception):
    """Nothing that begins with the text up to this place is JSON5."""

    def __init__(self, at: int) -> None:
        super().__init__(at)
        self.at = at


Again = tuple[str, int, int, int, int]
"""A key that its object has already, its start and end, and those of the same key before it."""


def read(text: str) -> Value:
    """Return the value of a text. Raises `WrongError`."""
    return _whole(text)[0]


def repeated(text: str) -> list[Again]:
    """Return the keys that are given twice, in the order of their places. Raises `WrongError`."""
    return sorted(_whole(text)[1].again, key=lambda each: each[1])


def _whole(text: str) -> tuple[Value, _Reader]:
    reader = _Reader(text)
    found = reader.value()
    reader.skip_spaces()
    if reader.at < len(text):
        reader.wrong()
    return found, reader


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.again: list[Again] = []

    @property
    def here(self) -> str:
        return self.text[self.at : self.at + 1]

    def wrong(self) -> NoReturn:
        raise WrongError(self.at)

    def take(self, allowed: str) -> str:
        """Return the character here, one of those that are allowed."""
        here = self.here
        if not here or here not in allowed:
            self.wrong()
        self.at += 1
        return here

    def word(self, word: str) -> None:
        for character in word:
            self.take(character)

    def skip_spaces(self) -> None:
        while self.here:
            if self.here == "/":
                self.at += 1
                if self.take("/*") == "/":
                    while self.here and self.here not in _LINE_ENDS:
                        self.at += 1
                else:
                    end = self.text.find("*/", self.at)
                    self.at = end + 2 if end >= 0 else len(self.text)
                    if end < 0:
                        self.wrong()
            elif self.here in f"\t\v\f\ufeff{_LINE_ENDS}" or unicodedata.category(self.here) == "Zs":
                self.at += 1
            else:
                return

    def value(self) -> Value:
        self.skip_spaces()
        start, here = self.at, self.here
        parts: dict[Any, Value] = {}
        value: Any
        if here == "{":
            self.listed("}", parts)
            value = {key: part.value for key, part in parts.items()}
        elif here == "[":
            self.listed("]", parts)
            value = [part.value for part in parts.values()]
        elif here and here in "'\"":
            value = self.string()
        elif here and here in "ntf":
            word = {"n": "null", "t": "true", "f": "false"}[here]
            self.word(word)
            value = {"null": None, "true": True, "false": False}[word]
        else:
            value = self.number()
        return Value(value, start, self.at, parts)

    def listed(self, end: str, parts: dict[Any, Value]) -> None:
        self.at += 1
        places: dict[str, tuple[int, int]] = {}
        while True:
            self.skip_spaces()
            if self.here == end:
                self.at += 1
                return
            key: Any = len(parts)
            if end == "}":
                start = self.at
                key = self.string() if self.here and self.here in "'\"" else self.name()
                if key in places:
                    self.again.append((key, start, self.at, *places[key]))
                places[key] = start, self.at
                self.skip_spaces()
                self.take(":")
            parts[key] = self.value()
            self.skip_spaces()
            if self.here != end:
                self.take(",")

    def name(self) -> str:
        found = ""
        while True:
            at = self.at
            character = self.here
            if character == "\\":
                self.at += 1
                self.take("u")
                character = chr(int("".join(self.take(_HEX) for _ in range(4)), 16))
            elif character:
                self.at += 1
            category = unicodedata.category(character) if character else ""
            follows = category in ("Mn", "Mc", "Nd", "Pc") or character in ("\u200c", "\u200d")
            if character and (
                character in "$_" or category in ("Lu", "Ll", "Lt", "Lm", "Lo", "Nl") or (found and follows)
            ):
                found += character
                continue
            if not found or self.text[at : at + 1] == "\\":
                raise WrongError(at)
            self.at = at
            return found

    def number(self) -> float:
        start = self.at
        if self.here and self.here in "+-":
            self.at += 1
        sign = -1.0 if self.text[start : self.at] == "-" else 1.0
        if self.here == "I":
            self.word("Infinity")
            return sign * math.inf
        if self.here == "N":
            self.word("NaN")
            return math.nan
        digits = self.at
        if self.here == ".":
            self.at += 1
            self.digits()
        elif self.here == "0":
            self.at += 1
            if self.here and self.here in "xX":
                self.at += 1
                self.digits(_HEX)
                return sign * int(self.text[digits : self.at], 16)
            self.fraction()
        else:
            self.digits()
            self.fraction()
        if self.here and self.here in "eE":
            self.at += 1
            if self.here and self.here in "+-":
                self.at += 1
            self.digits()
        return sign * float(self.text[digits : self.at])

    def digits(self, allowed: str = _DIGITS) -> None:
        self.take(allowed)
        while self.here and self.here in allowed:
            self.at += 1

    def fraction(self) -> None:
        if self.here == ".":
            self.at += 1
            while self.here and self.here in _DIGITS:
                self.at += 1

    def string(self) -> str:
        quote, found = self.take("'\""), ""
        while self.here != quote:
            if not self.here or self.here in "\n\r":
                self.wrong()
            found += self.escape() if self.here == "\\" else self.here
            self.at += 1
        self.at += 1
        return found

    def escape(self) -> str:
        """Return the meaning of an escape, and its last character."""
        self.at += 1
        here = self.here
        if here and here in "xu":
            self.at += 1
            code = "".join(self.take(_HEX) for _ in range(2 if here == "x" else 4))
            self.at -= 1
            return chr(int(code, 16))
        if here == "0" and self.text[self.at + 1 : self.at + 2].isdigit():
            self.at += 1
            self.wrong()
        if not here or here in "123456789":
            self.wrong()
        if here in _LINE_ENDS:
            self.at += self.text.startswith("\r\n", self.at)
            return ""
        return _ESCAPED.get(here, here)
