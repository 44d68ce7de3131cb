"""Keys and values in TOML."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any

_BARE = re.compile(r"[A-Za-z0-9_-]+")


def key(path: Iterable[str | int]) -> str:
    """Return a dotted key."""
    return ".".join([part if _BARE.fullmatch(part) else value(part) for part in map(str, path)])


def value(given: Any) -> str:
    """Return a value on one line. It equals JSON except for tables and the character 127."""
    if isinstance(given, dict):
        return "{" + ", ".join([f"{key((name,))} = {value(each)}" for name, each in given.items()]) + "}"
    if isinstance(given, list | tuple):
        return "[" + ", ".join(map(value, given)) + "]"
    return json.dumps(given, ensure_ascii=False).replace("\x7f", "\\u007f")
