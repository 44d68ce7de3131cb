"""Fixes of line ends and of the byte-order mark."""

from __future__ import annotations

import re

from llmblocks.core.finding import Finding
from llmblocks.languages.ask import Ask
from llmblocks.rules.fix import Edit, Fix
from llmblocks.stf.editor.lines import state_of
from llmblocks.stf.syntax.dialect import SEMICOLON

_RETURNS = re.compile(r"\r+\n")


def converted(_: Finding, ask: Ask) -> tuple[Fix, ...]:
    """End all lines with LF. In the `;` dialect that changes values: carriage returns are part of them.

    It is safe in neither: an editor or git may be set to write CRLF, and would do so again.
    """
    edits = tuple([Edit(*found.span(), "\n") for found in _RETURNS.finditer(ask.document.text)])
    # the first line end may stand in front of all that tells the dialect
    kept = state_of(ask.document.end_state).dialect == SEMICOLON.header
    return (Fix("End all lines with LF", edits, "returns" if kept else "nothing"),)


def removed_mark(finding: Finding, _: Ask) -> tuple[Fix, ...]:
    """Take out a byte-order mark."""
    return (Fix("Remove the byte-order mark", (Edit(finding.start, finding.end, ""),), safe=True),)
