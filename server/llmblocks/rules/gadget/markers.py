"""Fixes of markers outside of calls."""

from __future__ import annotations

from llmblocks.core.finding import Finding
from llmblocks.languages.ask import Ask
from llmblocks.rules.fix import Fix
from llmblocks.rules.removal import removals


def removed_marker(finding: Finding, ask: Ask) -> tuple[Fix, ...]:
    """Take out a marker, with its line where only blanks are beside it; else, or where that fails, the marker alone."""
    edits = removals(ask.document, finding.start, finding.end)
    return tuple([Fix("Remove this marker", (edit,), "text") for edit in edits])
