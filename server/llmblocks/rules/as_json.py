"""Findings, and stretches of text, as JSON: by lines and columns that count from 1."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

from llmblocks.core.lines import Lines
from llmblocks.facts.finding import Finding
from llmblocks.settings.rule_names import NAMES

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
        return cls(start, end, *lines.of(start), *lines.of(end))

    @classmethod
    def elsewhere(cls, place: Elsewhere) -> Region:
        line, column = place.line + 1, len(place.before) + 1
        return cls(place.start, place.end, line, column, line, column + len(place.text))

    def moved(self, by: int, lines: int) -> Region:
        """Return the same stretch after this many more lines, with this many code points in them."""
        start, end, line, column, end_line, end_column = self
        return Region(start + by, end + by, line + lines, column, end_line + lines, end_column)

    def as_json(self) -> dict[str, int]:
        names = "start", "end", "line", "column", "endLine", "endColumn"
        return dict(zip(names, self, strict=True))


def findings_as_json(findings: Iterable[Finding], text: str) -> list[dict[str, Any]]:
    """Return the findings of a text as plain JSON values, as in `llmblocks check --output-format json`.

    Lines and columns count from 1; an end is after the last character. `start` and `end` are code points from the start
    of the text.
    """
    lines = Lines(text)
    return [finding_as_json(finding, lines) for finding in findings]


def finding_as_json(finding: Finding, lines: Lines) -> dict[str, Any]:
    return {
        **Region.of(lines, finding.start, finding.end).as_json(),
        "code": finding.code,
        "name": NAMES.get(finding.code),
        "severity": finding.severity.name.lower(),
        "message": str(finding.message),
        **finding.message._asdict(),
        "related": [
            *[
                {**Region.of(lines, each.start, each.end).as_json(), "message": each.message}
                for each in finding.related
            ],
            *[
                {"path": place.file, **Region.elsewhere(place).as_json(), "message": message}
                for place, message in finding.elsewhere
            ],
        ],
    }
