"""A JSON5 writer for readable text: no quotes on plain keys, single quotes, one item a line."""

from __future__ import annotations

import json
from typing import Any

from llmblocks.json5.reader import MAX_DEPTH


def write_json5(value: Any, *, one_line: bool = False) -> str:
    """Return a value as JSON5 text, in the layout of JSON5.stringify(value, null, 2).

    Unlike in JavaScript, a whole float keeps its ".0" and zero its sign. A key with letters newer than Unicode 3.2 is
    quoted, because other readers may not know them.

    Raises:
        ValueError: JSON5 cannot represent a value: another type, a key that is not a string, an integer that a float64
            would round, or a value nested deeper than the reader accepts.
    """
    import json5

    from llmblocks.json5.javascript import JavaScriptEncoder

    _check(value, 0)
    text: str = json5.dumps(
        value,
        cls=JavaScriptEncoder,
        indent=None if one_line else 2,
        trailing_commas=not one_line,
        ensure_ascii=False,
        quote_keys=False,
        quote_style=json5.QuoteStyle.PREFER_SINGLE,
    )
    return text


def quoted(text: str) -> str:
    """Return a string in double quotes, on one line, as JSON writes it."""
    return json.dumps(text, ensure_ascii=False).replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def _check(value: Any, depth: int) -> None:
    """Reject values that would not read back unchanged."""
    if value is None or isinstance(value, str | bool | float):
        return
    if isinstance(value, int):
        try:
            exact = int(float(value)) == value
        except OverflowError:
            exact = False
        if not exact:
            raise ValueError(f"the number {value} would be rounded: JSON5 has float64 only; use a string")
    elif not isinstance(value, dict | list):
        raise ValueError(f"a {type(value).__name__} is not JSON: use a dict, list, string, number, boolean or None")
    elif depth == MAX_DEPTH:
        raise ValueError(f"nested deeper than {MAX_DEPTH} levels: it would not read back")
    elif isinstance(value, list):
        for item in value:
            _check(item, depth + 1)
    else:
        for key, item in value.items():
            if not isinstance(key, str):
                raise ValueError(f"the key {key!r} is not a string: JSON has no other keys")
            _check(item, depth + 1)
