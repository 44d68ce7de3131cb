"""Lost lines of a text: outside of every message, or malformed."""

from __future__ import annotations

import re
from collections.abc import Iterator

from llmblocks.stf.syntax.dialect import Dialect

_MALFORMED = re.compile(r"^;(?!;)[ \t]*+(?!#|//|/\*|\*/|[A-Za-z])[^\n]*", re.MULTILINE)


def data_line(text: str, offset: int, dialect: Dialect, begin: int) -> tuple[int, int]:
    """Return the place of the data line at an offset, without the first character of an escape.

    The first one starts at `begin`.
    """
    start = max(text.rfind("\n", 0, offset) + 1, begin)
    start += text.startswith(dialect.header, start)
    end = text.find("\n", offset)
    if end < 0:
        return start, len(text)
    return start, end - (dialect.crlf and text.startswith("\r", end - 1) and end > start)


def commented(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the malformed lines of the `;` dialect in a part of a comment block."""
    for found in _MALFORMED.finditer(text, start):
        if found.start() >= end:
            return
        yield found.span()
