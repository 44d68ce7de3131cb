"""Reading JSON5 in linear time, with the place of every key and value.

The json5 package reads 0.1 MB/s, takes quadratic time on long lists, and fails with a RecursionError at about 50 levels
(measured with 0.17.3). Raw messages exceed that, so this reader reads each character once. The tests compare it with
the package.
"""

from __future__ import annotations

import json
import re
import unicodedata
from itertools import accumulate
from math import inf
from typing import Any, NamedTuple

from llmblocks.core.chunks import join_halves
from llmblocks.json5.finite import once

# Deeper values break later code: comparing, printing and encoding are recursive.
MAX_DEPTH = 128
SAFE_INTEGER = 2**53

# one match skips all white space and comments before a token
_SKIPPED = (
    r"(?:[\t\n\v\f\r \u00a0\u1680\u2000-\u200a\u202f\u205f\u3000\u2028\u2029\ufeff]++"
    r"|//[^\n\r\u2028\u2029]*+|/\*(?s:.*?)\*/)*+"
)
_STRING = r""""[^"\\\n\r]*+"|'[^'\\\n\r]*+'"""
_ESCAPE = r"\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(\r\n|0(?![0-9])|[^ux0-9]))"
_TOKEN = re.compile(
    rf"""{_SKIPPED}(?:(?P<mark>[{{}}\[\]:,])
    |(?P<plain>{_STRING})
    |(?P<quoted>["'])
    |(?P<number>[+-]?(?:0[xX][0-9a-fA-F]*|Infinity|NaN|(?:(?:0|[1-9][0-9]*+)(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]*)?)
        |[+-]\.?|\.)
    |(?P<word>[^\W\d][\w$]*+|[$\\][\w$]*+)|(?P<end>\Z)|(?P<wrong>))""",
    re.VERBOSE,
)
# the form of nearly all keys, with the colon
_KEY = re.compile(rf"{_SKIPPED}({_STRING}|[A-Za-z$_][A-Za-z0-9$_]*+){_SKIPPED}:")
_INSIDE = {quote: re.compile(rf"(?:[^{quote}\\\n\r]++|{_ESCAPE})*+") for quote in "\"'"}
_ESCAPED = re.compile(_ESCAPE)
_MEANT = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v", "0": "\0"} | dict.fromkeys(
    ("\r\n", "\n", "\r", "\u2028", "\u2029"), ""
)
_BRACKET = re.compile(r"[\[\]{}]")
_WORDS = {"true": True, "false": False, "null": None}
_NAME_PIECE = re.compile(r"\\u([0-9a-fA-F]{4})|[^\\]")
# an escape up to its first wrong character, in a string and in a name
_WRONG_ESCAPE = re.compile(r"(?:\\(?:u[0-9a-fA-F]{0,3}|x[0-9a-fA-F]?|0)?)?")
_WRONG_IN_NAME = re.compile(r"(?:\\(?:u[0-9a-fA-F]{0,3})?)?")
_START = frozenset(("Lu", "Ll", "Lt", "Lm", "Lo", "Nl"))
_PART = _START | {"Mn", "Mc", "Nd", "Pc"}
_SHOWN = {chr(code): f"\\x{code:02x}" for code in range(32)} | {"\u2028": r"\u2028", "\u2029": r"\u2029"}
_SHOWN |= {sign: f"\\{shown}" for sign, shown in zip("'\"\\\b\f\n\r\t\v\0", "'\"\\bfnrtv0", strict=True)}


class ValuePlace(NamedTuple):
    """The place of a value."""

    start: int
    end: int
    items: tuple[tuple[str | int, int, int, ValuePlace], ...] = ()
    """The (key, key start, key end, value) of an object or a list."""


class RepeatedKey(NamedTuple):
    """A key that an object already has. Its last value counts."""

    key: str
    start: int
    end: int
    earlier: tuple[int, int]
    """The place of the same key before it."""
    behind: int
    """The start of the member after the earlier one."""


class Read(NamedTuple):
    """The result of reading: a value and its place, or an error (in json5's wording) and its place."""

    value: Any
    node: ValuePlace | None
    error: str | None = None
    offset: int = 0
    too_deep: bool = False
    repeated: tuple[RepeatedKey, ...] = ()


class WrongSyntax(Exception):  # noqa: N818 - it never leaves the package
    """The offset of the first invalid character, and its `reason`: "character", "deep", or "identifier" of a name."""

    def __init__(self, offset: int, reason: str = "character") -> None:
        super().__init__(offset, reason)

    def read(self, text: str) -> Read:
        """Return the error of json5 for JavaScript: lines and columns count from 1, column 0 is a line end."""
        offset, reason = self.args
        if reason == "deep":
            return Read(None, None, f"nested deeper than {MAX_DEPTH} levels", offset, True)
        char = text[offset : offset + 1]
        line, column = text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset)
        if char == "\n":
            line, column = line + 1, 0
        what = f"character '{_SHOWN.get(char, char)}'" if char else "end of input"
        what = "identifier character" if reason == "identifier" else what
        return Read(None, None, f"JSON5: invalid {what} at {line}:{column}", offset)


def read_value(text: str) -> Read:
    """Return the value of a JSON5 text, without places, except those of repeated keys. Never raises; see `Read`.

    The standard library reads JSON; this reader everything else.
    """
    try:
        value = _JSON.decode(text)
    except (ValueError, RecursionError):
        return read(text)
    if text.count("[") + text.count("{") > MAX_DEPTH:
        depths = accumulate([1 if sign in "[{" else -1 for sign in _BRACKET.findall(text)])
        if max(depths) > MAX_DEPTH:
            return read(text)  # brackets in strings count, too
    return Read(value, None)


def read(text: str) -> Read:
    """Return the value of a JSON5 text, with the places of all keys and values.

    Never raises: the error is at the first invalid character, in the wording of json5 for JavaScript. Offsets are code
    points of `text`; numbers are JavaScript's (whole ones beyond 2**53 are floats).
    """
    try:
        return _Json5Reader(text).read()
    except WrongSyntax as wrong:
        return wrong.read(text)


class _Json5Reader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.pos = 0
        self.repeated: list[RepeatedKey] = []

    def read(self) -> Read:
        value, place = self.value(self.token(), 0)
        self.expect("end")
        return Read(value, place, repeated=(*sorted(self.repeated, key=lambda each: each.start),))

    def token(self) -> tuple[str, int, int]:
        """Return the kind, start and end of the next token; a mark is its own kind."""
        text = self.text
        match = _TOKEN.match(text, self.pos)
        assert match is not None
        kind = match.lastgroup or ""
        start, self.pos = match.span(kind)
        if kind == "wrong":
            # the error of an unterminated comment is at its end
            raise WrongSyntax(len(text) if text.startswith("/*", start) else start + text.startswith("/", start))
        return (text[start] if kind == "mark" else kind), start, self.pos

    def value(self, token: tuple[str, int, int], depth: int) -> tuple[Any, ValuePlace]:
        """Return the value that begins with a token, in `depth` containers."""
        kind, start, end = token
        if kind == "plain":
            return self.text[start + 1 : end - 1], ValuePlace(start, end)
        if kind in ("{", "["):
            if depth == MAX_DEPTH:
                raise WrongSyntax(start, "deep")
            value, items = self.object(depth) if kind == "{" else self.array(depth)
            return value, ValuePlace(start, self.pos, (*items,))
        return self.scalar(kind, start, end), ValuePlace(start, self.pos)

    def array(self, depth: int) -> tuple[Any, list[Any]]:
        values, items = list[Any](), list[Any]()
        while (token := self.token())[0] != "]":
            value, place = self.value(token, depth + 1)
            items.append((len(values), place.start, place.start, place))
            values.append(value)
            if self.expect(",", "]") == "]":
                break
        return values, items

    def object(self, depth: int) -> tuple[Any, list[Any]]:
        values, items = dict[str, Any](), list[Any]()
        while key := self.key():
            values[key[0]], place = self.value(self.token(), depth + 1)
            items.append((*key, place))
            if self.expect(",", "}") == "}":
                break
        if len(values) < len(items):
            last: dict[str, int] = {}
            for number, (key, start, end, _) in enumerate(items):
                if (found := last.get(key)) is not None:
                    self.repeated.append(RepeatedKey(key, start, end, items[found][1:3], items[found + 1][1]))
                last[key] = number
        return values, items

    def expect(self, *kinds: str) -> str:
        """Read a token of one of some kinds, and return its kind."""
        kind, start, _ = self.token()
        if kind not in kinds:
            raise WrongSyntax(start)
        return kind

    def key(self) -> tuple[str, int, int] | None:
        """Read a key with its place, and its colon; None if the object ends instead."""
        if plain := _KEY.match(self.text, self.pos):
            self.pos = plain.end()
            key = plain[1]
            return key[1:-1] if key[0] in "'\"" else key, *plain.span(1)
        kind, start, end = self.token()
        if kind == "}":
            return None
        if kind == "word" or self.text[start:end] in ("Infinity", "NaN"):
            key, self.pos = read_name(self.text, start)
        elif kind in ("plain", "quoted"):
            key = self.string(start)
        else:
            raise WrongSyntax(start)
        end = self.pos
        self.expect(":")
        return key, start, end

    def scalar(self, kind: str, start: int, end: int) -> Any:
        if kind == "quoted":
            return self.string(start)
        text = self.text[start:end]
        if kind == "number":
            try:
                return _number(text)
            except ValueError:
                raise WrongSyntax(end) from None
        if text in _WORDS:
            return _WORDS[text]
        words = (*_WORDS, "Infinity", "NaN")
        sizes = [size for word in words for size in range(len(word) + 1) if text.startswith(word[:size])]
        raise WrongSyntax(start + max(sizes))

    def string(self, start: int) -> str:
        quote, inside = self.text[start], _INSIDE[self.text[start]].match(self.text, start + 1)
        assert inside is not None
        self.pos = inside.end() + 1
        if not self.text.startswith(quote, inside.end()):
            raise WrongSyntax(_WRONG_ESCAPE.match(self.text, inside.end()).end())  # type: ignore[union-attr]
        # two escapes may be one character: JavaScript's strings are UTF-16
        return "".join(join_halves(_ESCAPED.sub(_unescaped, inside[0])))


def _unescaped(found: re.Match[str]) -> str:
    code = found[1] or found[2]
    return chr(int(code, 16)) if code else _MEANT.get(found[3], found[3])


def read_name(text: str, start: int) -> tuple[str, int]:
    """Return the name at `start`, and its end.

    Raises:
        WrongSyntax: No name begins there, or an escape is invalid.

    Source: ECMAScript 5.1, "Identifier Names", which JSON5 uses for keys, including reserved words.
    """
    pieces: list[str] = []
    pos = start
    while piece := _NAME_PIECE.match(text, pos):
        char = chr(int(piece[1], 16)) if piece[1] else piece[0]
        is_part = char in "$_" or unicodedata.category(char) in (_PART if pieces else _START)
        if not is_part and not (pieces and char in "\u200c\u200d"):
            if piece[1]:
                raise WrongSyntax(pos, "identifier")
            break
        pieces.append(char)
        pos = piece.end()
    if not pieces or text.startswith("\\", pos):
        raise WrongSyntax(_WRONG_IN_NAME.match(text, pos).end())  # type: ignore[union-attr]
    return "".join(pieces), pos


def _number(text: str) -> int | float:
    """Return a number as JavaScript rounds it. Raises `ValueError` if it is not complete."""
    if len(text) <= 15 and text.isdigit():
        return int(text)
    digits = text.lstrip("+-")
    is_hex = digits[:2] in ("0x", "0X")
    try:
        value = float.fromhex(digits) if is_hex else float(digits)
    except OverflowError:
        value = inf
    value = int(value) if (is_hex or digits.isdigit()) and value <= SAFE_INTEGER else value
    return -value if text[0] == "-" else value


_JSON = json.JSONDecoder(parse_int=_number, object_pairs_hook=once)
