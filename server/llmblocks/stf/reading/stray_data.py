"""Data outside every message."""

from __future__ import annotations

import re

from llmblocks.stf.rules import DATA_BEFORE_MESSAGE
from llmblocks.stf.syntax.arguments import Finds, LinePlace

_NOT_BLANK = re.compile(r"[^ \t\n]")


class StrayData:
    """Data before the first message, or after the end of a message.

    Blank lines are ignored. Other lines are an error, reported once. With a default role, they are a message, together
    with the blank lines before them.
    """

    def __init__(self, has_default: bool) -> None:
        self.has_default = has_default
        self.blank_lines: list[tuple[str, bool]] = []
        self.line_at = (0, 0)
        """The place and the number of the line; negative if it began before the text that is read."""
        self.stray: tuple[int, int] | None = None
        self.known_end: int | None = None
        self.is_reported = False

    def begin(self) -> None:
        """Start after the end of a message."""
        self.is_reported = False
        self.blank_lines = []

    def command(self) -> None:
        """Drop the blank lines before a command."""
        self.blank_lines = []

    def text(self, fragment: str, at: int, line: int, begins_line: bool) -> list[tuple[str, bool]] | None:
        """Read data; return the beginning of a message of the default role, once one must begin."""
        match = _NOT_BLANK.search(fragment)
        if self.has_default:
            self.blank_lines.append((fragment, begins_line))
            if match is None:
                return None
            held, self.blank_lines = self.blank_lines, []
            return held
        if begins_line:
            self.line_at = (at, line)
        if match is not None and not self.is_reported:
            self.is_reported = True
            newline = fragment.rfind("\n", 0, match.start())
            self.stray = self.line_at
            if newline >= 0:
                self.stray = at + newline + 1, line and line + fragment.count("\n", 0, newline + 1)
            end = fragment.find("\n", match.start())
            self.known_end = at + end if end >= 0 else None
        return None

    def end_line(self, report: Finds, at: int) -> None:
        """Report the line that ends at `at`, if it is the first one outside every message."""
        if self.stray is not None:
            (start, line), self.stray = self.stray, None
            end = at if self.known_end is None else self.known_end
            if start >= 0:
                report.find(DATA_BEFORE_MESSAGE, LinePlace(start, end, line))
