"""Reading JSON5 in linear time, with the place of every key and value.

The json5 package reads 0.1 MB/s, takes quadratic time on long lists, and fails with a RecursionError at about 50 levels
(measured with 0.17.3). Raw messages exceed that, so this reader is not recursive, and reads each character once. The
tests compare it with the package.
"""

from __future__ import annotations

import json
import re
from typing import Any, NamedTuple

from llmblocks.json5.finite import once
from llmblocks.json5.syntax import WrongSyntax, bad_in_string, read_name

# Deeper values break later code: comparing, printing and encoding are recursive.
MAX_DEPTH = 128
_SAFE_INTEGER = 2**53

# one match skips all white space and comments before a token
_SKIPPED = (
    r"(?:[\t\n\v\f\r \u00a0\u1680\u2000-\u200a\u202f\u205f\u3000\u2028\u2029\ufeff]++"
    r"|//[^\n\r\u2028\u2029]*+|/\*(?s:.*?)\*/)*+"
)
_STRING = r""""[^"\\\n\r]*+"|'[^'\\\n\r]*+'"""
_BLANKS = re.compile(_SKIPPED)
_TOKEN = re.compile(
    rf"""{_SKIPPED}(?:(?P<mark>[{{}}\[\]:,])
    |(?P<plain>{_STRING})
    |(?P<quoted>["'])
    |(?P<number>[+-]?(?:0[xX][0-9a-fA-F]+|Infinity|NaN|(?:(?:0|[1-9][0-9]*+)(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?))
    |(?P<word>[^\W\d][\w$]*+|[$\\][\w$]*+))""",
    re.VERBOSE,
)
# the form of nearly all keys, with the colon
_KEY = re.compile(rf"{_SKIPPED}({_STRING}|[A-Za-z$_][A-Za-z0-9$_]*+){_SKIPPED}:")
# a member of an object with a plain string, and the text after it
_MEMBER = re.compile(
    rf"{_SKIPPED}({_STRING}|[A-Za-z$_][A-Za-z0-9$_]*+){_SKIPPED}:{_SKIPPED}({_STRING}){_SKIPPED}([,}}])"
)
_STRING_PIECE = re.compile(
    r"""(?P<text>[^"'\\\n\r]++)|(?P<quote>["'])|\\(?:u(?P<u>[0-9a-fA-F]{4})|x(?P<x>[0-9a-fA-F]{2})|(?P<line>\r\n|[\n\r\u2028\u2029])|(?P<zero>0)(?![0-9])|(?P<other>[^ux0-9]))""",
)
# An exponent or "0x" without digits: the error is after it.
_UNFINISHED = re.compile(
    r"[+-]?(?:0[xX](?![0-9a-fA-F])|(?:(?:0|[1-9][0-9]*+)(?:\.[0-9]*+)?|\.[0-9]++)[eE](?:[+-](?![0-9])|(?![0-9+-])))"
)
# A sign or a point without a number.
_BEGUN = re.compile(r"[+-]\.?|\.")
_ESCAPES = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}
_WORDS = {"true": True, "false": False, "null": None}


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


def read_value(text: str) -> Read:
    """Return the value of a JSON5 text, without places, except those of repeated keys. Never raises; see `Read`.

    The standard library reads JSON; this reader everything else.
    """
    try:
        value = _JSON.decode(text)
    except (ValueError, RecursionError):
        return read(text)
    if text.count("[") + text.count("{") > MAX_DEPTH and _depth(value) > MAX_DEPTH:
        return read(text)
    return Read(value, None)


def read(text: str) -> Read:
    """Return the value of a JSON5 text, with the places of all keys and values.

    Never raises: the error is at the first invalid character, in the wording of json5 for JavaScript. Offsets are code
    points of `text`; numbers are JavaScript's (whole ones beyond 2**53 are floats).
    """
    try:
        return _Json5Reader(text).read()
    except WrongSyntax as wrong:
        return Read(None, None, wrong.wording(text), wrong.offset)


class _Open:
    """An open list or object."""

    __slots__ = ("items", "key", "repeats", "start", "value")

    def __init__(self, value: Any, start: int) -> None:
        self.value = value
        self.start = start
        self.items: list[tuple[str | int, int, int, ValuePlace]] = []
        self.key = "", start, start  # with its place
        self.repeats = False


class _Json5Reader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.pos = 0
        self.repeated: list[RepeatedKey] = []

    def token(self, value: bool = False) -> tuple[str, int, int]:
        """Return the kind, start and end of the next token; a mark is its own kind. `value`: a value may begin here."""
        text = self.text
        match = _TOKEN.match(text, self.pos)
        if match is None:
            return self.no_token(value)
        kind = match.lastgroup or ""
        start, self.pos = match.span(kind)
        return (text[start] if kind == "mark" else kind), start, self.pos

    def no_token(self, value: bool) -> tuple[str, int, int]:
        """Return the end of the text; raise an error for anything else."""
        text, pos = self.text, _BLANKS.match(self.text, self.pos).end()  # type: ignore[union-attr]
        if pos == len(text):
            return "end", pos, pos
        # The error of an unterminated comment is at its end, that of a number after it.
        if text.startswith("/*", pos):
            raise WrongSyntax(len(text))
        begun = _BEGUN.match(text, pos) if value else None
        raise WrongSyntax(begun.end() if begun else pos + text.startswith("/", pos))

    def read(self) -> Read:
        stack: list[_Open] = []
        while True:
            kind, start, end = self.token(value=True)
            if kind == "]" and stack and type(stack[-1].value) is list:
                done = self.close(stack, end)
            elif kind in ("{", "["):
                if len(stack) == MAX_DEPTH:
                    return Read(None, None, f"nested deeper than {MAX_DEPTH} levels", start, True)
                stack.append(_Open({} if kind == "{" else [], start))
                if kind == "[" or not self.key(stack[-1]):
                    continue
                done = self.close(stack, self.pos)
            else:
                done = self.scalar(kind, start, end), ValuePlace(start, self.pos)
            # `done` is a complete value: add it to its container, and close the containers that end with it.
            while stack:
                self.give(stack[-1], *done)
                kind, start, end = self.token()
                is_list = type(stack[-1].value) is list
                if kind == ",":
                    if is_list or not self.key(stack[-1]):
                        break
                    end = self.pos
                elif kind != ("]" if is_list else "}"):
                    raise WrongSyntax(start)
                done = self.close(stack, end)
            else:
                kind, start, end = self.token()
                if kind != "end":
                    raise WrongSyntax(start)
                self.repeated.sort(key=lambda each: each.start)
                return Read(*done, repeated=(*self.repeated,))

    def key(self, holder: _Open) -> bool:
        """Read a key and its colon; return True if the object ends instead.

        Members with plain strings are read at once.
        """
        while member := _MEMBER.match(self.text, self.pos):
            key, value, mark = member.groups()
            holder.key = (key[1:-1] if key[0] in "'\"" else key), *member.span(1)
            self.give(holder, value[1:-1], ValuePlace(*member.span(2)))
            self.pos = member.end()
            if mark == "}":
                return True
        if plain := _KEY.match(self.text, self.pos):
            key = plain[1]
            holder.key = (key[1:-1] if key[0] in "'\"" else key), *plain.span(1)
            self.pos = plain.end()
            return False
        kind, start, end = self.token()
        if kind == "}":
            return True
        if kind in ("plain", "quoted"):
            key = self.string(kind, start, end)
        elif kind == "word" or self.text[start:end] in ("Infinity", "NaN"):
            key, self.pos = read_name(self.text, start)
        else:
            raise WrongSyntax(start)
        holder.key = key, start, self.pos
        kind, start, end = self.token()
        if kind != ":":
            raise WrongSyntax(start)
        return False

    def scalar(self, kind: str, start: int, end: int) -> Any:
        if kind in ("plain", "quoted"):
            return self.string(kind, start, end)
        text = self.text[start:end]
        if kind == "number":
            if unfinished := _UNFINISHED.match(self.text, start):
                raise WrongSyntax(unfinished.end())
            return _number(text)
        if kind == "word":
            if text in _WORDS:
                return _WORDS[text]
            words = (*_WORDS, "Infinity", "NaN")
            raise WrongSyntax(
                start + max(size for word in words for size in range(len(word) + 1) if text.startswith(word[:size]))
            )
        raise WrongSyntax(start)

    def string(self, kind: str, start: int, end: int) -> str:
        if kind == "plain":
            return self.text[start + 1 : end - 1]
        text, quote, pos = self.text, self.text[start], end
        pieces: list[str] = []
        half = False
        while True:
            match = _STRING_PIECE.match(text, pos)
            if match is None:
                raise WrongSyntax(bad_in_string(text, pos))
            pos = match.end()
            group, piece = match.lastgroup, match[match.lastgroup or 0]
            if group == "quote":
                if piece == quote:
                    self.pos = pos
                    return "".join(pieces)
            elif group in ("u", "x"):
                piece = chr(int(piece, 16))
                if half and "\udc00" <= piece <= "\udfff":
                    # Two escapes, one character: JavaScript's strings are UTF-16.
                    piece = chr(0x10000 + ((ord(pieces.pop()) - 0xD800) << 10) + ord(piece) - 0xDC00)
                half = "\ud800" <= piece <= "\udbff"
                pieces.append(piece)
                continue
            elif group == "line":
                continue
            elif group == "zero":
                piece = "\0"
            elif group == "other":
                piece = _ESCAPES.get(piece, piece)
            half = False
            pieces.append(piece)

    @staticmethod
    def give(holder: _Open, value: Any, node: ValuePlace) -> None:
        if type(holder.value) is list:
            holder.items.append((len(holder.value), node.start, node.start, node))
            holder.value.append(value)
        else:
            holder.items.append((*holder.key, node))
            holder.repeats = holder.repeats or holder.key[0] in holder.value
            holder.value[holder.key[0]] = value

    def close(self, stack: list[_Open], end: int) -> tuple[Any, ValuePlace]:
        done = stack.pop()
        if done.repeats:
            last: dict[str | int, int] = {}
            for number, (key, key_start, key_end, _) in enumerate(done.items):
                if (found := last.get(key)) is not None:
                    earlier, behind = done.items[found][1:3], done.items[found + 1][1]
                    self.repeated.append(RepeatedKey(str(key), key_start, key_end, earlier, behind))
                last[key] = number
        return done.value, ValuePlace(done.start, end, tuple(done.items))


def _number(text: str) -> int | float:
    digits = text.lstrip("+-")
    if digits[:2] in ("0x", "0X"):
        whole = int(digits, 16)
        try:
            value = whole if whole <= _SAFE_INTEGER else float(whole)
        except OverflowError:
            value = float("inf")
    else:
        value = _integer(digits) if digits.isdigit() else float(digits)
    return -value if text[0] == "-" else value


def _integer(text: str) -> int | float:
    # int() rejects more than 4300 digits, float() rounds as JavaScript does.
    if len(text) > 15:
        rounded = float(text)
        return int(rounded) if abs(rounded) <= _SAFE_INTEGER else rounded
    return int(text)


_JSON = json.JSONDecoder(parse_int=_integer, object_pairs_hook=once)


def _depth(value: Any) -> int:
    depth, level = 0, [value]
    while level := [child for child in level if isinstance(child, (dict, list))]:
        depth += 1
        level = [child for holder in level for child in (holder.values() if isinstance(holder, dict) else holder)]
    return depth
