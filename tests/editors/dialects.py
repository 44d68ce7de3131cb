"""Lines that tell the dialect of a chat, and lines that do not: every editor must see them as the server does."""

from __future__ import annotations

from llmblocks.stf.syntax import AT_COMMANDS, SEMICOLON_COMMANDS, first_decided

_NAMES = sorted({*AT_COMMANDS, *SEMICOLON_COMMANDS})
_RESTS = (
    *(*_NAMES, "#x", " // x", "/*", "\t*/", "user_x", " end x", "users"),
    *("User", "", "*", " ", "@user", ";user", "7"),
)
LINES = (*(header + rest for header in "@;" for rest in _RESTS), " ;user", "x;user", "", "# x", "ai")


def told(line: str) -> str:
    """Return the dialect that a line tells, or "" where it tells none."""
    dialect = first_decided(f"{line}\n")
    return dialect.header if dialect else ""


CHATS = tuple(f"{line}\n{other}\n" for line in LINES for other in ("@user", ";user"))
"""Chats that begin with each of the lines, and end with a line of one dialect or the other."""
DIALECTS = tuple(told(line) or other for line in LINES for other in "@;")
