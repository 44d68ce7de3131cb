"""Stretches of text for people and programs: by lines and columns that count from 1."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from llmblocks.core.lines import Lines
    from llmblocks.core.places import Elsewhere


class Region(NamedTuple):
    """A stretch of text, by lines and columns from 1. An end is after the last character."""

    start: int
    end: int
    line: int
    column: int
    end_line: int
    end_column: int

    @classmethod
    def of(cls, lines: Lines, start: int, end: int) -> Region:
        """Return a stretch of a text, given its lines."""
        return cls(start, end, *lines.of(start), *lines.of(end))

    @classmethod
    def elsewhere(cls, place: Elsewhere) -> Region:
        """Return a place in another file."""
        line, column = place.line + 1, len(place.before) + 1
        return cls(place.start, place.end, line, column, line, column + len(place.text))

    def moved(self, by: int, lines: int) -> Region:
        """Return the same stretch after this many more lines, with this many code points in them."""
        start, end, line, column, end_line, end_column = self
        return Region(start + by, end + by, line + lines, column, end_line + lines, end_column)

    def as_json(self) -> dict[str, int]:
        """Return the same as plain JSON values."""
        names = "start", "end", "line", "column", "endLine", "endColumn"
        return dict(zip(names, self, strict=True))
