"""Lone surrogates, which Python text can contain but UTF-8, and so a request or a file, cannot."""

from __future__ import annotations

import json
import re
from typing import Any, TypeGuard

from llmblocks.stf.convert.converted import Losses
from llmblocks.stf.values.messages import Json

# Faster than a walk through the value: most values hold no surrogates.
_ENCODE = json.JSONEncoder(ensure_ascii=False).encode
_HALF = re.compile("[\ud800-\udfff]")


def is_ascii(content: object) -> TypeGuard[str]:
    """Return whether this is ASCII text, which needs no check."""
    return isinstance(content, str) and content.isascii()


def in_characters(value: Json, path: str, losses: Losses) -> Any:
    """Return the value with surrogate pairs joined and lone surrogates replaced by U+FFFD, reported once."""
    try:
        _ENCODE(value).encode()
    except UnicodeEncodeError:
        pass
    else:
        return value
    lone: list[str] = []
    out = _joined(value, lone)
    if lone:
        losses.add(path, "half a character cannot be sent: it becomes U+FFFD in the request")
    return out


def escaped(text: str) -> str:
    """Return a JSON text in valid UTF-8: lone surrogates become escapes."""
    return _HALF.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def _joined(value: Any, lone: list[str]) -> Any:
    if isinstance(value, str):
        if not _HALF.search(value):
            return value
        joined = value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        if joined.count("\ufffd") > value.count("\ufffd"):
            lone.append(value)
        return joined
    if isinstance(value, dict):
        return {_joined(key, lone): _joined(item, lone) for key, item in value.items()}
    return [_joined(item, lone) for item in value] if isinstance(value, list) else value
