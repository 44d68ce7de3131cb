"""Fixes of markers outside of calls, inside of lines, and missing."""

from __future__ import annotations

from llmblocks.core.edits import Edit
from llmblocks.facts.finding import Finding
from llmblocks.gadget.editor.calls import call_in
from llmblocks.languages.ask import Ask
from llmblocks.rules.expected import outside
from llmblocks.rules.fix import Fix
from llmblocks.rules.removal import removals


def removed_marker(finding: Finding, ask: Ask) -> tuple[Fix, ...]:
    """Remove a marker, with its line if nothing else is on it; otherwise, or if that fails, only the marker."""
    edits = removals(ask.document, finding.start, finding.end)
    return tuple([Fix("Remove this marker", (edit,), outside(edit)) for edit in edits])


def added_end(finding: Finding, ask: Ask) -> tuple[Fix, ...]:
    """End a call after its last argument."""
    document = ask.document
    placed = document.section_at(finding.start)
    call = call_in(placed.section)
    if call is None or call.closed:
        return ()
    at = placed.start + call.end
    header = document.slice(finding.end, placed.start + call.header_end + 1)
    newline = "\r\n" if header.endswith("\r\n") else "\n"
    marker = ask.settings.markers.end
    text = f"{marker}{newline}" if document.slice(at - 1, at) == "\n" else f"{newline}{marker}"
    if at < len(document) and not text.endswith("\n"):
        text += newline
    return (Fix(f"Write `{marker}` after the last argument", (Edit(at, at, text),), outside(Edit(at, at, text))),)


def new_line(finding: Finding, ask: Ask) -> tuple[Fix, ...]:
    """Move the marked text to a new line; never with `\\r`, which would become part of a value."""
    if finding.data.get("case") == "spaces":
        return ()  # removing them changes the value, keeping them does not help
    edit = Edit(finding.start, finding.start, "\n")
    return (Fix("Move this to a new line", (edit,), outside(edit)),)
