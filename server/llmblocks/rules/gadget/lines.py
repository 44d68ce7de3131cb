"""Fixes that begin a new line."""

from __future__ import annotations

from llmblocks.core.edits import Edit
from llmblocks.core.finding import Finding
from llmblocks.languages.ask import Ask
from llmblocks.rules.fix import Fix


def new_line(finding: Finding, ask: Ask) -> tuple[Fix, ...]:
    """Move what is marked to a new line; never with `\\r`, which would become part of a value."""
    if finding.data.get("case") == "blanks":
        return ()  # to remove them changes the value, to keep them helps nobody
    return (Fix("Move this to a new line", (Edit(finding.start, finding.start, "\n"),), "lines"),)
