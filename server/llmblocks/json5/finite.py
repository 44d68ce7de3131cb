"""Values that JSON can represent, other numbers, and objects without repeated keys."""

from __future__ import annotations

import math
from typing import Any, NoReturn


def finite(value: Any) -> Any:
    """Replace numbers that are not finite with null, as in JavaScript."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {key: finite(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [finite(each) for each in value]
    return value


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
