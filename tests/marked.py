"""Texts with places marked in them, so that no test says a line or a column by number.

`$0` is the cursor. A line of spaces and carets with a code after them marks a place on the line above it:

    !!!ARG:name
           ^^^^ G101
"""

from __future__ import annotations

import re
from typing import NamedTuple

_MARK = re.compile(r"^ *(\^+) ([A-Z][0-9]{3})$")


class Mark(NamedTuple):
    """`start` and `end` in code points of the text without its marks."""

    code: str
    start: int
    end: int


def unmark(text: str) -> tuple[str, list[Mark]]:
    """Return the text without its mark lines, and the marks in order."""
    lines: list[str] = []
    marks: list[Mark] = []
    line_start = size = 0
    for line in text.splitlines(keepends=True) if "\r" not in text else re.findall(r"[^\n]*\n|[^\n]+$", text):
        found = _MARK.match(line.rstrip("\n"))
        if found:
            marks.append(Mark(found[2], line_start + found.start(1), line_start + found.end(1)))
        else:
            lines.append(line)
            line_start = size
            size += len(line)
    return "".join(lines), sorted(marks, key=lambda mark: (mark.start, mark.end, mark.code))


def cursor(text: str) -> tuple[str, int]:
    """Return the text without `$0`, and where it stood."""
    return text.replace("$0", "", 1), text.index("$0")
