"""Texts with places marked in them, so that no test says a line or a column by number.

`$0` is the cursor. A line of spaces and carets with a code after them marks a place on the line above it:

    !!!ARG:name
           ^^^^ G101
"""

from __future__ import annotations

from llmblocks.rules.cases import unmark

__all__ = ["cursor", "unmark"]


def cursor(text: str) -> tuple[str, int]:
    """Return the text without `$0`, and where it stood."""
    return text.replace("$0", "", 1), text.index("$0")
