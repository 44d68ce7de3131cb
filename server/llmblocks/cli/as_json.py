"""JSON on standard output."""

from __future__ import annotations

import json
import math
import sys
from typing import Any


def print_json(value: Any) -> None:
    """Print a value as ASCII, which is valid in any encoding. A number that is not finite is null, as in JavaScript."""
    json.dump(finite(value), sys.stdout, indent=2, allow_nan=False)
    sys.stdout.write("\n")


def finite(value: Any) -> Any:
    """A value with null for numbers that are not finite."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {key: finite(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [finite(each) for each in value]
    return value
