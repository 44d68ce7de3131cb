"""Pairs of unregistered tags."""

from __future__ import annotations

import re
from collections.abc import Collection

from llmblocks.tags.syntax import NAME

_FARTHEST = 1 << 16
_TAG = re.compile(rf"</?({NAME})(?=[\s/>])[^<>\n]*>")


def unregistered_at(text: str, at: int, names: Collection[str]) -> re.Match[str] | None:
    """Return the tag around an offset, its name in group 1, if it has a partner nearby and no registered name."""
    start = max(text.rfind("\n", 0, at) + 1, at - _FARTHEST)
    found = next((each for each in _TAG.finditer(text, start, at + _FARTHEST) if each.end() >= at), None)
    if found is None or found.start() > at or found[1] in names:
        return None
    first, last = max(at - _FARTHEST, 0), at + _FARTHEST
    has_partner = text.find(f"<{found[1]}", first, last) >= 0 and text.find(f"</{found[1]}>", first, last) >= 0
    return found if has_partner else None
