"""Fixes of comments that silence nothing."""

from __future__ import annotations

from llmblocks.core.edits import Edit
from llmblocks.facts.finding import Finding
from llmblocks.languages.ask import Ask
from llmblocks.rules.expected import SAME, outside
from llmblocks.rules.fix import Fix
from llmblocks.rules.removal import line_removals, removals


def removed_silence(finding: Finding, ask: Ask) -> tuple[Fix, ...]:
    """Remove a comment, or one of its codes. Safe if comments are not part of any value."""
    document = ask.document
    safe = ask.language.loaded[0].comments != frozenset()
    if finding.data.get("case") != "code":
        edits = line_removals(document, finding.start) if safe else removals(document, finding.start, finding.end)
        return tuple([Fix("Remove this comment", (edit,), SAME if safe else outside(edit), safe) for edit in edits])
    start, end = finding.start, finding.end
    while document.slice(end, end + 1) in (" ", "\t"):
        end += 1
    if document.slice(end, end + 1) == ",":
        end += 1
        while document.slice(end, end + 1) in (" ", "\t"):
            end += 1
    else:
        while document.slice(start - 1, start) in (" ", "\t", ","):
            start -= 1
    edit = Edit(start, end, "")
    return (Fix("Remove this code", (edit,), SAME if safe else outside(edit), safe),)
