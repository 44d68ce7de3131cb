"""Writing JSON5 for people: no quotes on plain keys, single quotes, one item a line."""

from __future__ import annotations

import json
import math
import re
from typing import Any

from llmblocks.stf.json5_reader import MAX_DEPTH

_PLAIN_KEY = re.compile(r"[A-Za-z_$][A-Za-z0-9_$]*")
_ESCAPED = re.compile(r"[\\\x00-\x1f\u2028\u2029]")
_SHORT = {
    "\\": "\\\\",
    "\b": "\\b",
    "\f": "\\f",
    "\n": "\\n",
    "\r": "\\r",
    "\t": "\\t",
    "\v": "\\v",
    "\u2028": "\\u2028",
    "\u2029": "\\u2029",
}


def write_json5(value: Any, *, one_line: bool = False) -> str:
    """JSON5 text that reads as that value, laid out as JSON5.stringify(value, null, 2) does.

    Errors: `ValueError` for what JSON5 cannot hold: other types, keys that are no strings, whole numbers that a
           float64 would round, values nested deeper than the reader goes.
    """
    return _write(value, "" if one_line else "\n", "", 0)


def quoted(text: str) -> str:
    """A string in double quotes, on one line, as JSON writes it."""
    return json.dumps(text, ensure_ascii=False).replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def _write(value: Any, newline: str, indent: str, depth: int) -> str:
    if isinstance(value, str):
        return _string(value)
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, (int, float)):
        return _number(value)
    if not isinstance(value, (dict, list)):
        raise ValueError(f"a {type(value).__name__} is no JSON: use a dict, list, string, number, boolean or None")
    if depth == MAX_DEPTH:
        raise ValueError(f"nested deeper than {MAX_DEPTH} levels: it could not be read again")
    inner = indent + "  " if newline else ""
    if isinstance(value, dict):
        items = [f"{_key(key)}: {_write(item, newline, inner, depth + 1)}" for key, item in value.items()]
        start, end = "{}"
    else:
        items = [_write(item, newline, inner, depth + 1) for item in value]
        start, end = "[]"
    if not items:
        return start + end
    if not newline:
        return start + ", ".join(items) + end
    return start + "".join(f"{newline}{inner}{item}," for item in items) + newline + indent + end


def _key(key: Any) -> str:
    if not isinstance(key, str):
        raise ValueError(f"the key {key!r} is no string: JSON has no other keys")
    return key if _PLAIN_KEY.fullmatch(key) else _string(key)


def _number(value: int | float) -> str:
    if isinstance(value, int):
        try:
            exact = int(float(value)) == value
        except OverflowError:
            exact = False
        if not exact:
            raise ValueError(f"the number {value} would be rounded: JSON5 has float64 only; use a string")
        return str(value)
    if math.isfinite(value):
        return repr(value)
    return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"


def _string(text: str) -> str:
    quote = '"' if text.count("'") > text.count('"') else "'"
    escaped = _ESCAPED.sub(lambda match: _SHORT.get(match[0]) or f"\\x{ord(match[0]):02x}", text)
    return quote + escaped.replace(quote, "\\" + quote) + quote
