"""Unquoted keys, and the syntax errors of json5 for JavaScript."""

from __future__ import annotations

import re
import unicodedata

_SHOWN = dict(zip("'\"\\\b\f\n\r\t\v\0", "'\"\\bfnrtv0", strict=True)) | {"\u2028": "u2028", "\u2029": "u2029"}
_PLAIN = re.compile(r"[A-Za-z$_][A-Za-z0-9$_]*+(?![^\x00-\x7f]|\\)")
_ESCAPE = re.compile(r"\\u([0-9a-fA-F]{4})")
_START = frozenset(("Lu", "Ll", "Lt", "Lm", "Lo", "Nl"))
_PART = _START | {"Mn", "Mc", "Nd", "Pc"}


class WrongSyntax(Exception):  # noqa: N818 - it never leaves the reader
    """The offset of the first invalid character. `escaped` if it is an escape in a name."""

    def __init__(self, offset: int, escaped: bool = False) -> None:
        super().__init__()
        self.offset = offset
        self.escaped = escaped

    def wording(self, text: str) -> str:
        """Return the error of json5 for JavaScript: lines and columns from 1, and column 0 for a line end."""
        offset = self.offset
        line, column = text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset)
        if self.escaped:
            return f"JSON5: invalid identifier character at {line}:{column}"
        if offset >= len(text):
            return f"JSON5: invalid end of input at {line}:{column}"
        char = text[offset]
        if char == "\n":
            line, column = line + 1, 0
        plain = f"\\x{ord(char):02x}" if char < " " else char
        shown = f"\\{_SHOWN[char]}" if char in _SHOWN else plain
        return f"JSON5: invalid character '{shown}' at {line}:{column}"


def bad_in_string(text: str, pos: int) -> int:
    """Return the place of the error in a string: a line end, the end of the text, or inside an escape."""
    if text[pos : pos + 1] != "\\":
        return pos
    pos += 1
    digits = {"u": 4, "x": 2}.get(text[pos : pos + 1])
    if digits is None:
        return pos + 1 if text[pos : pos + 1] == "0" else pos
    pos += 1
    while digits and text[pos : pos + 1] in "0123456789abcdefABCDEF" and pos < len(text):
        pos += 1
        digits -= 1
    return pos


def read_name(text: str, start: int) -> tuple[str, int]:
    """Return the name at `start`, and its end.

    Raises:
        WrongSyntax: No name begins there, or an escape is invalid.

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
                raise WrongSyntax(bad_in_string(text, pos) if text.startswith("u", pos + 1) else pos + 1)
            char, width = chr(int(escape[1], 16)), 6
        if not _is_part(char, first=not pieces):
            if width > 1:
                raise WrongSyntax(pos, escaped=True)
            break
        pieces.append(char)
        pos += width
    if not pieces:
        raise WrongSyntax(start)
    return "".join(pieces), pos


def _is_part(char: str, first: bool) -> bool:
    if char in "$_" or (char in "\u200c\u200d" and not first):
        return True
    return unicodedata.category(char) in (_START if first else _PART)
