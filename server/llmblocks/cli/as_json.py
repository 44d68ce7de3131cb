"""JSON on standard output."""

from __future__ import annotations

import json
import sys
from typing import Any

from llmblocks.json5.finite import finite


def print_json(value: Any) -> None:
    """Print a value as ASCII, which is valid in any encoding. A number that is not finite is null, as in JavaScript."""
    json.dump(finite(value), sys.stdout, indent=2, allow_nan=False)
    sys.stdout.write("\n")
