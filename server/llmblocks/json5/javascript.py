"""The differences between JSON5.stringify and the json5 package. Only the writer loads this module."""

from __future__ import annotations

import re
from math import isfinite
from typing import Any
from unicodedata import ucd_3_2_0

from json5 import JSON5Encoder

from llmblocks.json5.finite import written
from llmblocks.json5.syntax import WrongSyntax, read_name

_LAST_INTEGER = 2**53
_ESCAPE = re.compile(r"\\(?:u00([01][0-9a-f])|(0)(?=[0-9])|.)")


class JavaScriptEncoder(JSON5Encoder):
    """Writes keys, numbers and control characters as in JSON5.stringify."""

    def encode(self, obj: Any, seen: Any, level: int, *, as_key: bool) -> str:
        """See `JSON5Encoder.encode`."""
        if isinstance(obj, float) and not as_key and isfinite(obj):
            return written(obj)
        if isinstance(obj, int) and not as_key and abs(obj) > _LAST_INTEGER:
            return written(float(obj)).removesuffix(".0")
        text: str = super().encode(obj, seen, level, as_key=as_key)
        if isinstance(obj, str) and "\\" in text:
            text = _ESCAPE.sub(_escape, text)
        return text

    def is_identifier(self, key: str) -> bool:
        """Return whether a key needs no quotes.

        After the first character, JSON5.stringify reads UTF-16 units, and quotes characters beyond U+FFFF.
        """
        try:
            name, _ = read_name(key, 0)
        except WrongSyntax:
            return False
        is_new = any(ucd_3_2_0.category(char) == "Cn" for char in key)
        return name == key and max(key[1:], default="") <= "\uffff" and not is_new

    def is_reserved_word(self, key: str) -> bool:
        """Return false: reserved words need no quotes."""
        return False


def _escape(match: re.Match[str]) -> str:
    return f"\\x{match[1] or '00'}" if match[1] or match[2] else match[0]
