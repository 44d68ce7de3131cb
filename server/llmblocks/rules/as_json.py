"""Findings as JSON."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from llmblocks.core.lines import Lines
from llmblocks.facts.finding import Finding
from llmblocks.rules.region import Region
from llmblocks.settings.rule_names import NAMES


def findings_as_json(findings: Iterable[Finding], text: str) -> list[dict[str, Any]]:
    """Return the findings of a text as plain JSON values, as in `llmblocks check --output-format json`.

    Lines and columns count from 1; an end is after the last character. `start` and `end` are code points from the start
    of the text.
    """
    lines = Lines(text)
    return [finding_as_json(finding, lines) for finding in findings]


def finding_as_json(finding: Finding, lines: Lines) -> dict[str, Any]:
    """Return a finding as plain JSON values."""
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
