"""A JSON5 writer for readable text: no quotes on plain keys, single quotes, one item a line."""

from __future__ import annotations

import re
from math import isfinite
from typing import Any
from unicodedata import ucd_3_2_0

import json5

from llmblocks.json5.finite import written
from llmblocks.json5.reader import MAX_DEPTH, SAFE_INTEGER, WrongSyntax, read_name

_ESCAPE = re.compile(r"\\(?:u00([01][0-9a-f])|(0)(?=[0-9])|.)")


def write_json5(value: Any, *, one_line: bool = False) -> str:
    """Return a value as JSON5 text, in the layout of JSON5.stringify(value, null, 2).

    Unlike in JavaScript, a whole float keeps its ".0" and zero its sign. A key with letters newer than Unicode 3.2 is
    quoted, because other readers may not know them.

    Raises:
        ValueError: JSON5 cannot represent a value: another type, a key that is not a string, an integer that a float64
            would round, or a value nested deeper than the reader accepts.
    """
    text: str = json5.dumps(
        value,
        cls=_JavaScriptEncoder,
        indent=None if one_line else 2,
        trailing_commas=not one_line,
        ensure_ascii=False,
        quote_keys=False,
        quote_style=json5.QuoteStyle.PREFER_SINGLE,
    )
    return text


class _JavaScriptEncoder(json5.JSON5Encoder):
    """Writes keys, numbers and control characters as in JSON5.stringify, if they read back unchanged."""

    def encode(self, obj: Any, seen: Any, level: int, *, as_key: bool) -> str:
        if as_key and not isinstance(obj, str):
            raise ValueError(f"the key {obj!r} is not a string: JSON has no other keys")
        if isinstance(obj, dict | list) and level == MAX_DEPTH:
            raise ValueError(f"nested deeper than {MAX_DEPTH} levels: it would not read back")
        if not isinstance(obj, str | bool | int | float | dict | list | None):
            raise ValueError(f"a {type(obj).__name__} is not JSON: use a dict, list, string, number, boolean or None")
        if isinstance(obj, float) and isfinite(obj):
            return written(obj)
        if isinstance(obj, int) and abs(obj) > SAFE_INTEGER:
            if obj.bit_length() > 1023 or int(float(obj)) != obj:
                raise ValueError(f"the number {obj} would be rounded: JSON5 has float64 only; use a string")
            return written(float(obj)).removesuffix(".0")
        text: str = super().encode(obj, seen, level, as_key=as_key)
        return _ESCAPE.sub(_escape, text) if isinstance(obj, str) else text

    def is_identifier(self, key: str) -> bool:
        # after the first character, JSON5.stringify reads UTF-16 units, and quotes characters beyond U+FFFF
        try:
            name, _ = read_name(key, 0)
        except WrongSyntax:
            return False
        is_new = any(ucd_3_2_0.category(char) == "Cn" for char in key)
        return name == key and max(key[1:], default="") <= "\uffff" and not is_new

    def is_reserved_word(self, key: str) -> bool:
        return False


def _escape(match: re.Match[str]) -> str:
    return f"\\x{match[1] or '00'}" if match[1] or match[2] else match[0]
