"""Values that JSON can hold, numbers that it cannot, and objects without repeated keys."""

from __future__ import annotations

import math
from typing import Any, NoReturn


def finite(value: Any) -> Any:
    """Return a value with null for numbers that are not finite, as in JavaScript."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {key: finite(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [finite(each) for each in value]
    return value


def refuse(name: str) -> NoReturn:
    """Refuse `NaN` and `Infinity`, for `json`. Errors: `ValueError`."""
    raise ValueError(f"{name} is no JSON number")


def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return the object of these members, for `json`. Errors: `ValueError` for a key that is given twice."""
    found = dict(pairs)
    if len(found) < len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise ValueError(f"an object has the key {key!r} twice")
            seen.add(key)
    return found
