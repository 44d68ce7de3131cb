"""Findings as JSON."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from llmblocks.core.lines import Lines
from llmblocks.core.places import Elsewhere
from llmblocks.facts.finding import Finding
from llmblocks.rules.names import NAMES


def findings_as_json(findings: Iterable[Finding], text: str) -> list[dict[str, Any]]:
    """The findings of a text as plain JSON values, as in `llmblocks check --format json`.

    Shape: lines and columns count from 1; an end is after the last character. `start` and `end` are code points from
           the start of the text.
    """
    lines = Lines(text)
    return [finding_as_json(finding, lines) for finding in findings]


def finding_as_json(finding: Finding, lines: Lines) -> dict[str, Any]:
    """A finding as plain JSON values."""
    return {
        **_range(lines, finding.start, finding.end),
        "code": finding.code,
        "name": NAMES.get(finding.code),
        "severity": finding.severity.name.lower(),
        "message": finding.message,
        "related": [
            *[{**_range(lines, each.start, each.end), "message": each.message} for each in finding.related],
            *[_elsewhere(place, message) for place, message in finding.elsewhere],
        ],
    }


def _elsewhere(place: Elsewhere, message: str) -> dict[str, Any]:
    """A place in another file, with its path."""
    line, column = place.line + 1, len(place.before) + 1
    where = {"start": place.start, "end": place.end, "line": line, "column": column}
    end = {"endLine": line, "endColumn": column + len(place.text)}
    return {"path": place.file, **where, **end, "message": message}


def _range(lines: Lines, start: int, end: int) -> dict[str, int]:
    (line, column), (end_line, end_column) = lines.of(start), lines.of(end)
    return {"start": start, "end": end, "line": line, "column": column, "endLine": end_line, "endColumn": end_column}
