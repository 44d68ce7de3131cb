"""Values that JSON can represent, JavaScript's numbers, and objects without repeated keys."""

from __future__ import annotations

import json
import math
import re
from typing import Any, Final, NoReturn

TOO_DEEP: Final = "A value is nested too deeply to be written as JSON."
"""Said in place of a value that `indented` cannot write."""


def finite(value: Any) -> Any:
    """Replace numbers that are not finite with null, as in JavaScript."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {key: finite(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [finite(each) for each in value]
    return value


def indented(value: Any) -> str:
    """Return a value as JSON on several lines; empty if it is nested too deeply for Python."""
    try:
        return json.dumps(value, indent=2, ensure_ascii=False)
    except RecursionError:
        return ""


def written(value: float) -> str:
    """Return a finite float with JavaScript's digits; a whole float keeps its ".0", and zero its sign."""
    text = repr(value)
    if "e" not in text:
        return text
    if 1e-6 <= abs(value) < 1e21:
        from decimal import Decimal

        plain = format(Decimal(text), "f")
        return plain if "." in plain else f"{plain}.0"
    return re.sub(r"e([+-])0", r"e\1", text)


def refuse(name: str) -> NoReturn:
    """Raise `ValueError` for `NaN` and `Infinity`, for `json`."""
    raise ValueError(f"{name} is not a JSON number")


def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return the object of these members, for `json`. Raise `ValueError` for a repeated key."""
    found = dict(pairs)
    if len(found) < len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise ValueError(f"an object has the key {key!r} twice")
            seen.add(key)
    return found
