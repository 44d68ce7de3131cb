"""Text without control characters, for messages of one line."""

from __future__ import annotations

import re

_CONTROL = r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]"


def visible(text: str) -> str:
    """Escape control characters: none may move the cursor, begin a line or change the writing direction."""
    return re.sub(
        _CONTROL, lambda found: f"\\x{ord(found[0]):02x}" if found[0] < "\u0100" else f"\\u{ord(found[0]):04x}", text
    )
