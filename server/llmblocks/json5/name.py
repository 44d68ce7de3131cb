"""Unquoted keys."""

from __future__ import annotations

import re
import unicodedata

from llmblocks.json5.error import bad_in_string

_PLAIN = re.compile(r"[A-Za-z$_][A-Za-z0-9$_]*+(?![^\x00-\x7f]|\\)")
_ESCAPE = re.compile(r"\\u([0-9a-fA-F]{4})")
_START = frozenset(("Lu", "Ll", "Lt", "Lm", "Lo", "Nl"))
_PART = _START | {"Mn", "Mc", "Nd", "Pc"}


class BadName(Exception):  # noqa: N818 - it never leaves the reader
    """The offset of an invalid character in a name. `escaped` if it is written as an escape."""

    def __init__(self, offset: int, escaped: bool = False) -> None:
        super().__init__()
        self.offset = offset
        self.escaped = escaped


def read_name(text: str, start: int) -> tuple[str, int]:
    """Return the name at `start`, and its end.

    Raises:
        BadName: No name begins there, or an escape is invalid.

    Source: ECMAScript 5.1, "Identifier Names", which JSON5 uses for keys, including reserved words.
    """
    if plain := _PLAIN.match(text, start):
        return plain[0], plain.end()
    pieces: list[str] = []
    pos = start
    while pos < len(text):
        char, width = text[pos], 1
        if char == "\\":
            escape = _ESCAPE.match(text, pos)
            if escape is None:
                raise BadName(bad_in_string(text, pos) if text.startswith("u", pos + 1) else pos + 1)
            char, width = chr(int(escape[1], 16)), 6
        if not _is_part(char, first=not pieces):
            if width > 1:
                raise BadName(pos, escaped=True)
            break
        pieces.append(char)
        pos += width
    if not pieces:
        raise BadName(start)
    return "".join(pieces), pos


def _is_part(char: str, first: bool) -> bool:
    if char in "$_" or (char in "\u200c\u200d" and not first):
        return True
    return unicodedata.category(char) in (_START if first else _PART)
