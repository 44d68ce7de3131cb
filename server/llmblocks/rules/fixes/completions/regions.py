"""Fixes of the regions of raw completions."""

from __future__ import annotations

from llmblocks.core.edits import Edit
from llmblocks.facts.finding import Finding
from llmblocks.languages.ask import Ask
from llmblocks.rules.expected import becoming, outside, spelt
from llmblocks.rules.fix import Fix
from llmblocks.rules.removal import removals


def closed(finding: Finding, ask: Ask) -> tuple[Fix, ...]:
    """Close a region at the end of the text, and complete its JSON."""
    close, missing = str(finding.data["close"]), str(finding.data.get("missing", ""))
    if not close or ("case" in finding.data and not missing):
        return ()
    at = len(ask.document)
    return (
        Fix(
            f"Close the region with {close}",
            (Edit(at, at, missing + close),),
            becoming(Edit(at, at, missing + close)),
        ),
    )


def removed(finding: Finding, ask: Ask) -> tuple[Fix, ...]:
    """Remove a closing delimiter."""
    return tuple(
        [Fix("Remove it", (edit,), outside(edit)) for edit in removals(ask.document, finding.start, finding.end)]
    )


def opened(finding: Finding, _: Ask) -> tuple[Fix, ...]:
    """Open the region that the prompt has opened."""
    opening = str(finding.data["opening"])
    return (Fix(f"Begin with {opening}", (Edit(0, 0, opening),), becoming(Edit(0, 0, opening))),) if opening else ()


def completed(finding: Finding, ask: Ask) -> tuple[Fix, ...]:
    """Complete a JSON text at its end, or escape the delimiter in its string."""
    if finding.data.get("case") == "delimiter":
        better = str(finding.data["better"])
        edit = Edit(finding.start, finding.end, better)
        return (Fix(f"Write {better}", (edit,), becoming(edit)),)
    missing = str(finding.data.get("missing", ""))
    if not missing:
        return ()
    at = finding.start + len(ask.document.slice(finding.start, finding.end).rstrip())
    return (Fix(f"Add {missing}", (Edit(at, at, missing),), becoming(Edit(at, at, missing))),)


def spelled(finding: Finding, _: Ask) -> tuple[Fix, ...]:
    """Write the delimiter that is meant."""
    better = str(finding.data["better"])
    return (Fix(f"Write {better}", (Edit(finding.start, finding.end, better),), spelt(finding, better)),)
