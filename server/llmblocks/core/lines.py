"""Lines and columns, counted from 1."""

from __future__ import annotations

import re
from bisect import bisect_right

_LINE_END = re.compile(r"\r\n|\r|\n")


class Lines:
    """The lines of a text. As in every editor, `\\n`, `\\r\\n` and a lone `\\r` end a line."""

    __slots__ = ("_starts",)

    def __init__(self, text: str) -> None:
        self._starts = [0, *[found.end() for found in _LINE_END.finditer(text)]]

    def of(self, offset: int) -> tuple[int, int]:
        """Return the line and the column of a code point, both counted from 1."""
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1
