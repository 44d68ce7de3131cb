"""TOML text: the places of names and values, the text at a cursor, and settings as text."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any, Literal, NamedTuple

from llmblocks.settings.given import DEEPEST, Combined, leaves, steps
from llmblocks.settings.schema import SettingPath

Span = tuple[int, int]
_QUOTES = "\"'"
# the standard library takes quadratic time for a long dotted key
_TOO_DEEP = f"nested more than {DEEPEST} levels"
_TOKEN = r"""
    (?P<blank>[ \t\r]++|\#[^\n]*+)
    |(?P<newline>\n)
    |(?P<string>
        \"{3}(?:[^"\\]++|\\[\s\S]|"{1,2}(?!"))*+"{3,5}
        |'{3}(?:[^']++|'{1,2}(?!'))*+'{3,5}
        |"(?:[^"\\\n]++|\\.)*+"
        |'[^'\n]*+'
    )
    |(?P<mark>[][{}.,=])
    |(?P<bare>[^\s\#"'\[\]{}.,=]++)
    """
_BARE = re.compile(r"[A-Za-z0-9_-]+")
_IN_KEY = re.compile(_TOKEN, re.VERBOSE)
_IN_VALUE = re.compile(_TOKEN.replace(".,=", ",="), re.VERBOSE)
_STARTS_ANEW = re.compile(r"""[ \t]*(?:\[{1,2}[ \t]*[A-Za-z_][^\n=,]*\]|(?:[\w.-]|"[^"\n]*"|'[^'\n]*')+[ \t]*=)""")
"""A list cannot continue with these: a header, or a key with a value."""
_WORDS = ("bare", "open", "string")
_BEFORE_KEY, _BEFORE_VALUE = ("", "\n", ".", "{", ",", "["), ("=", "[", ",")


def find_places(text: str, table: tuple[str, ...] = ()) -> PlaceFinder:
    """Find all keys and array items in a table, whose path is (). Never raises; the text may be broken."""
    finder = PlaceFinder(table)
    for _ in finder.tokens(text):
        pass
    return finder


class PlaceFinder:
    """The state of the search after some tokens.

    Attributes:
        spans: By path: the last segment of a key, or the first token of an array's item.
        refused: The reason not to parse the text, with the place where the search stopped.
        header: The number of open brackets of a header.
        key: The segments of the key so far; None inside a value.
    """

    def __init__(self, within: tuple[str, ...]) -> None:
        self._within = within
        self.spans: dict[SettingPath, Span] = {}
        self.refused: tuple[str, Span] | None = None
        self.header = 0
        self.key: list[str] | None = []
        self._table: SettingPath = ()
        self._tables: dict[SettingPath, int] = {}
        self._value: SettingPath = ()
        # the open arrays, each with its next index, and inline tables
        self._open: list[tuple[SettingPath, int | None]] = []

    @property
    def path(self) -> SettingPath:
        """The path of the key so far, or of the value."""
        if self.key is not None:
            return (*(() if self.header else self._above()), *self.key)
        path, index = self._open[-1] if self._open else ((), None)
        return self._value if index is None else (*path, index)

    def tokens(self, text: str) -> Iterator[tuple[str, int, int]]:
        """Yield the tokens, each before it is taken in. The search ends in an unclosed multi-line string.

        Marks and line ends are their own kinds, white space is a space, a comment is its sign; a string is "open"
        without its end, and "lines" if it may have several.
        """
        at = 0
        while at < len(text) and self.refused is None:
            found = (_IN_VALUE if self.key is None else _IN_KEY).match(text, at)
            kind = "" if found is None else found.lastgroup or ""
            end = at + 1 if found is None else found.end()
            sign = "bare" if kind == "bare" else text[at]
            if sign in _QUOTES:
                sign = "string"
                if text.startswith(text[at] * 3, at):
                    sign = "lines"
                    end = len(text) if found is None or end - at < 6 else end
                elif found is None:
                    sign, line = "open", text.find("\n", at)
                    end = len(text) if line < 0 else line - (text[line - 1] == "\r")
            elif kind == "blank" and sign != "#":
                sign = " "
            yield sign, at, end
            if kind == "newline":
                lists = _STARTS_ANEW.match(text, end) is not None
                while self._open and (lists or self._open[-1][1] is None):
                    self._close()
                if not self._open:
                    self.header, self.key = 0, []
            elif kind == "mark":
                self._mark(sign, (at, end))
            elif sign in ("bare", "string", "lines") or (sign == "open" and self.key is None):
                self.word(text[at:end], (at, end))
            at = end

    def word(self, text: str, span: Span) -> None:
        if self.key is None:
            self._item(span)
            return
        parent, top = self.path, len(self._within)
        name = _name(text)
        for step in steps(name, parent[top:]) if parent[:top] == self._within else (name,):
            self.key.append(step)
            self._put(self.path, span)
        if len(self.key) > DEEPEST:
            self.refused = (_TOO_DEEP, span)

    def _mark(self, mark: str, span: Span) -> None:
        if self.key is None:
            self._in_value(mark, span)
        elif mark == "[" and not self._open and not self.key:
            self.header += 1
        elif mark == "]" and self.header:
            self._table = (*self.key,)
            if self.header > 1:
                index = self._tables[self._table] = self._tables.get(self._table, -1) + 1
                self._table = (*self._table, index)
            self.header = 0
        elif mark == "=" and self.key:
            self._value, self.key = (*self._above(), *self.key), None
        elif mark == "}" and self._open:
            self._close()

    def _in_value(self, mark: str, span: Span) -> None:
        if mark in "[{":
            self._item(span)
            self._open.append((self.path, 0 if mark == "[" else None))
            if mark == "{":
                self.key = []
            if len(self._open) > DEEPEST:
                self.refused = (_TOO_DEEP, span)
        elif mark in "]}" and self._open:
            self._close()
        elif mark == "," and self._open:
            path, index = self._open[-1]
            if index is None:
                self.key = []
            else:
                self._open[-1] = (path, index + 1)

    def _close(self) -> None:
        self._open.pop()
        self.key = None

    def _item(self, span: Span) -> None:
        if self._open and self._open[-1][1] is not None:
            self._put(self.path, span)

    def _put(self, path: SettingPath, span: Span) -> None:
        if path[: len(self._within)] == self._within:
            self.spans.setdefault(path[len(self._within) :], span)

    def _above(self) -> SettingPath:
        return self._open[-1][0] if self._open else self._table


def _name(text: str) -> str:
    if text[0] not in _QUOTES:
        return text
    if "\\" not in text:
        return text[1:-1]
    import tomllib

    try:
        return str(tomllib.loads(f"name = {text}")["name"])
    except tomllib.TOMLDecodeError:
        return text[1:-1]


class WrittenSetting(NamedTuple):
    """The text before the cursor, from `start` on."""

    kind: Literal["header", "key", "value"]
    path: SettingPath
    """Leads to the table of a key, or to the setting or the item whose value it is."""
    start: int


class Named(NamedTuple):
    """A word at the cursor: the last segment of a key, or a value."""

    is_key: bool
    path: SettingPath
    span: Span


def written_at(text: str, offset: int, table: tuple[str, ...] = ()) -> WrittenSetting | None:
    """Return the text that a completion replaces; None after a complete item and in a comment."""
    finder, last, header, start = PlaceFinder(table), "", 0, offset
    for sign, at, end in finder.tokens(text):
        if at >= offset:
            break
        if end > offset or (end == offset and sign in ("#", "open", "bare")):
            if sign in ("#", "lines"):
                return None
            if sign in _WORDS:
                start = at
            break
        if sign == "[" and finder.key is not None and not finder.header:
            header = at
        if sign not in (" ", "#") and not (sign == "\n" and finder.key is None and last in _BEFORE_VALUE[1:]):
            last = sign
    if finder.refused is not None:
        return None
    if finder.header:  # a multi-line string is not a name, so a header with one cannot be replaced
        return None if "\n" in text[header:offset] else WrittenSetting("header", (), header)
    if last not in (_BEFORE_VALUE if finder.key is None else _BEFORE_KEY):
        return None
    return WrittenSetting("value" if finder.key is None else "key", finder.path, start)


def named_at(text: str, offset: int, table: tuple[str, ...] = ()) -> Named | None:
    """Return the word at the cursor."""
    finder = PlaceFinder(table)
    for sign, at, end in finder.tokens(text):
        if at > offset:
            return None
        if sign in _WORDS and offset <= end:
            is_key = finder.key is not None
            finder.word(text[at:end], (at, end))
            return Named(is_key, finder.path, (at, end))
    return None


def key(path: Iterable[str | int]) -> str:
    return ".".join([part if _BARE.fullmatch(part) else value(part) for part in map(str, path)])


def value(given: Any) -> str:
    """Return a value on one line. It equals JSON except for tables and the character 127."""
    if isinstance(given, dict):
        return "{" + ", ".join([f"{key((name,))} = {value(each)}" for name, each in given.items()]) + "}"
    if isinstance(given, list | tuple):
        return "[" + ", ".join(map(value, given)) + "]"
    return json.dumps(given, ensure_ascii=False).replace("\x7f", "\\u007f")


def as_toml(settings: Combined) -> str:
    """Return settings as lines of TOML, each with its sources in a comment."""
    lines = []
    for path, each in leaves(settings.given):
        lines.append(f"{key(path)} = {value(each)}  # {', '.join(settings.origins.get(path, ('default',)))}\n")
    # a path may contain invalid text
    return "".join(lines).encode("utf-8", "backslashreplace").decode("utf-8")
