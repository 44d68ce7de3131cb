"""The text at the cursor in TOML, which is often broken, because a line is half typed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

from llmblocks.settings.places import PlaceFinder, Span
from llmblocks.settings.schema import SettingPath

_QUOTES = "\"'"
_STARTS_ANEW = re.compile(r"""[ \t]*(?:\[{1,2}[ \t]*[A-Za-z_][^\n=,]*\]|(?:[\w.-]|"[^"\n]*"|'[^'\n]*')+[ \t]*=)""")
"""A list cannot continue with these: a header, or a key with a value."""
_WORDS = ("bare", "open", "string")
_BEFORE_KEY, _BEFORE_VALUE = ("", "\n", ".", "{", ",", "["), ("=", "[", ",")


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
    """Return the text that a completion replaces; None after a complete item and in a comment.

    `table` is the path of the table with the settings.
    """
    finder, last, header, start = PlaceFinder(table), "", 0, offset
    for sign, at, end in _tokens(text, finder):
        if at >= offset:
            break
        if end > offset or (end == offset and sign in ("#", "open", "bare")):
            if sign in ("#", "lines"):
                return None
            if sign in _WORDS:
                start = at
            break
        if sign == "[" and finder.is_key and not finder.is_header:
            header = at
        if sign not in (" ", "#") and not (sign == "\n" and not finder.is_key and last in _BEFORE_VALUE[1:]):
            last = sign
    if finder.refused is not None:
        return None
    if finder.is_header:  # a multi-line string is not a name, so a header with one cannot be replaced
        return None if "\n" in text[header:offset] else WrittenSetting("header", (), header)
    if last not in (_BEFORE_KEY if finder.is_key else _BEFORE_VALUE):
        return None
    return WrittenSetting("key" if finder.is_key else "value", finder.path, start)


def named_at(text: str, offset: int, table: tuple[str, ...] = ()) -> Named | None:
    """Return the word at the cursor. `table` is the path of the table with the settings."""
    finder = PlaceFinder(table)
    for sign, at, end in _tokens(text, finder):
        if at > offset:
            return None
        if sign in _WORDS and offset <= end:
            is_key = finder.is_key
            finder.word(text[at:end], (at, end))
            return Named(is_key, finder.path, (at, end))
    return None


def _tokens(text: str, finder: PlaceFinder) -> Iterator[tuple[str, int, int]]:
    """Yield the tokens, each before the finder gets it. The search ends in an unclosed multi-line string.

    Marks and line ends are their own kinds, white space is a space, a comment is its sign; a string is "open" without
    its end, and "lines" if it may have several.
    """
    at = 0
    while at < len(text) and finder.refused is None:
        found = finder.pattern.match(text, at)
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
            finder.give_up(lists=_STARTS_ANEW.match(text, end) is not None)
            finder.newline()
        elif kind == "mark":
            finder.mark(sign, (at, end))
        elif sign in ("bare", "string", "lines") or (sign == "open" and not finder.is_key):
            finder.word(text[at:end], (at, end))
        at = end
