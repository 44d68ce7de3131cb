"""Fixes of markers outside of calls."""

from __future__ import annotations

from llmblocks.core.finding import Finding
from llmblocks.languages.ask import Ask
from llmblocks.rules.fix import Edit, Fix


def removed_marker(finding: Finding, ask: Ask) -> tuple[Fix, ...]:
    """Take out a marker, with its line where only blanks are beside it; else, or where that fails, the marker alone."""
    document = ask.document
    line, _ = document.position(finding.start)
    start, end = document.line_start(line), document.line_start(line + 1)
    beside = document.slice(start, finding.start) + document.slice(finding.end, end)
    alone = Edit(finding.start, finding.end, "")
    edits = [alone] if beside.strip(" \t\r\n") else [Edit(start, end, ""), alone]
    return tuple([Fix("Remove this marker", (edit,), "text") for edit in edits])
