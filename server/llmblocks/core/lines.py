"""Lines and columns, counted from 1, and texts without control characters, for messages of one line."""

from __future__ import annotations

import re
from bisect import bisect_right

_LINE_END = re.compile(r"\r\n|\r|\n")
_CONTROL = r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]"


class Lines:
    """The lines of a text. As in every editor, `\\n`, `\\r\\n` and a lone `\\r` end a line."""

    __slots__ = ("_starts",)

    def __init__(self, text: str) -> None:
        self._starts = [0, *[found.end() for found in _LINE_END.finditer(text)]]

    def of(self, offset: int) -> tuple[int, int]:
        """Return the line and the column of a code point, both counted from 1."""
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1


def visible(text: str) -> str:
    """Escape control characters: none may move the cursor, begin a line or change the writing direction."""
    return re.sub(
        _CONTROL, lambda found: f"\\x{ord(found[0]):02x}" if found[0] < "\u0100" else f"\\u{ord(found[0]):04x}", text
    )
