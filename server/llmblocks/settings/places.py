"""The places of names and values in TOML text, found in one pass."""

from __future__ import annotations

import re
from typing import NamedTuple

from llmblocks.settings.given import DEEPEST, steps
from llmblocks.settings.schema import SettingPath

Span = tuple[int, int]
_QUOTES = "\"'"
_LONGEST_NUMBER = 1000
# the standard library takes quadratic time for a long dotted key, and raises no TOML error for a long number
_TOO_DEEP = f"nested more than {DEEPEST} levels"
_TOO_LONG = f"a number has more than {_LONGEST_NUMBER} characters"
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
_IN_KEY = re.compile(_TOKEN, re.VERBOSE)
_IN_VALUE = re.compile(_TOKEN.replace(".,=", ",="), re.VERBOSE)


class SettingPlaces(NamedTuple):
    """The places of the settings in a text."""

    spans: dict[SettingPath, Span]
    """By path: the last segment of a key, or the first token of an array's item."""
    refused: tuple[str, Span] | None
    """The reason not to parse the text, with the place where the search stopped."""
    end: int
    """The place where the search stopped."""


def find_places(text: str, table: tuple[str, ...] = ()) -> SettingPlaces:
    """Find all keys and array items in a table, whose path is (). Never raises; the search ends at invalid TOML."""
    search = PlaceFinder(table)
    at = 0
    while search.refused is None and (found := search.pattern.match(text, at)) is not None:
        at = found.end()
        kind = found.lastgroup
        if kind == "newline":
            search.newline()
        elif kind == "mark":
            search.mark(found[0], found.span())
        elif kind != "blank":
            search.word(found[0], found.span())
    return SettingPlaces(search.spans, search.refused, at)


class PlaceFinder:
    """The state of the search after some tokens.

    `_key` has the segments of the key so far, or is None inside a value; `_open` has the open arrays and inline tables,
    an array with its next index.
    """

    def __init__(self, within: tuple[str, ...]) -> None:
        self._within = within
        self.spans: dict[SettingPath, Span] = {}
        self.refused: tuple[str, Span] | None = None
        self._table: SettingPath = ()
        self._tables: dict[SettingPath, int] = {}
        self._header = 0
        self._key: list[str] | None = []
        self._path: SettingPath = ()
        self._open: list[tuple[SettingPath, int | None]] = []

    @property
    def is_key(self) -> bool:
        """Whether the next word is a segment of a key, not a value."""
        return self._key is not None

    @property
    def is_header(self) -> bool:
        return self._header > 0

    @property
    def path(self) -> SettingPath:
        """The path of the key so far, or of the value."""
        if self._key is None:
            return self._value_path()
        return (*(() if self._header else self._base()), *self._key)

    @property
    def pattern(self) -> re.Pattern[str]:
        """Read a dot: it separates the segments of a key, and is part of a number."""
        return _IN_VALUE if self._key is None else _IN_KEY

    def newline(self) -> None:
        if not self._open:
            self._header, self._key = 0, []

    def give_up(self, *, lists: bool) -> None:
        """Close everything that cannot stay open at the end of a line: inline tables, and lists if `lists`."""
        while self._open and (lists or self._open[-1][1] is None):
            self._close()

    def word(self, text: str, span: Span) -> None:
        if self._key is None:
            self._item(span)
            if text[0] not in _QUOTES and len(text) > _LONGEST_NUMBER:
                self.refused = (_TOO_LONG, span)
        else:
            self._segment(_name(text), span)

    def mark(self, mark: str, span: Span) -> None:
        if self._key is None:
            self._in_value(mark, span)
        elif mark == "[" and not self._open and not self._key:
            self._header += 1
        elif mark == "]" and self._header:
            self._end_header()
        elif mark == "=" and self._key:
            self._path, self._key = (*self._base(), *self._key), None
        elif mark == "}" and self._open:
            self._close()

    def _in_value(self, mark: str, span: Span) -> None:
        if mark in "[{":
            self._item(span)
            path = self._value_path()
            self._open.append((path, 0 if mark == "[" else None))
            if mark == "{":
                self._key = []
            if len(self._open) > DEEPEST:
                self.refused = (_TOO_DEEP, span)
        elif mark in "]}" and self._open:
            self._close()
        elif mark == "," and self._open:
            path, index = self._open[-1]
            if index is None:
                self._key = []
            else:
                self._open[-1] = (path, index + 1)

    def _close(self) -> None:
        self._open.pop()
        self._key = None

    def _item(self, span: Span) -> None:
        if self._open and self._open[-1][1] is not None:
            self._put(self._value_path(), span)

    def _value_path(self) -> SettingPath:
        if self._open:
            path, index = self._open[-1]
            return self._path if index is None else (*path, index)
        return self._path

    def _segment(self, name: str, span: Span) -> None:
        above = () if self._header else self._base()
        key = self._key = list(self._key or ())
        parent = (*above, *key)
        ours = parent[: len(self._within)] == self._within
        for step in steps(name, parent[len(self._within) :]) if ours else (name,):
            key.append(step)
            self._put((*above, *key), span)
        if len(key) > DEEPEST:
            self.refused = (_TOO_DEEP, span)

    def _put(self, path: SettingPath, span: Span) -> None:
        if path[: len(self._within)] == self._within:
            self.spans.setdefault(path[len(self._within) :], span)

    def _end_header(self) -> None:
        path: SettingPath = tuple(self._key or ())
        if self._header > 1:
            index = self._tables.get(path, 0)
            self._tables[path] = index + 1
            path = (*path, index)
        self._table, self._header = path, 0

    def _base(self) -> SettingPath:
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
