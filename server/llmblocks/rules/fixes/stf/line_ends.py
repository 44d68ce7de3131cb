"""Fixes of line ends and of the byte-order mark."""

from __future__ import annotations

from llmblocks.core.edits import Edit
from llmblocks.facts.finding import Finding
from llmblocks.languages.ask import Ask
from llmblocks.rules.expected import SAME, everywhere
from llmblocks.rules.fix import Fix
from llmblocks.rules.removal import removed_returns
from llmblocks.stf.scanner import state_of
from llmblocks.stf.syntax.dialect import SEMICOLON


def converted(_: Finding, ask: Ask) -> tuple[Fix, ...]:
    """End all lines with LF. In the `;` dialect that changes values, which contain the carriage returns.

    It is safe in neither dialect: an editor or git may be set to write CRLF, and would do so again.
    """
    # the first line end may precede everything that shows the dialect
    kept = state_of(ask.document.end_state).dialect == SEMICOLON.header
    edits = removed_returns(ask.document)
    return (Fix("End all lines with LF", edits, everywhere(*edits) if kept else SAME),)


def removed_mark(finding: Finding, _: Ask) -> tuple[Fix, ...]:
    """Remove a byte-order mark."""
    return (Fix("Remove the byte-order mark", (Edit(finding.start, finding.end, ""),), safe=True),)
