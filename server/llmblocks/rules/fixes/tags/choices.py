"""Remedies of mistakes in custom blocks that only a person chooses."""

from __future__ import annotations

from llmblocks.core.edits import Edit
from llmblocks.facts.finding import Finding
from llmblocks.languages.ask import Ask
from llmblocks.rules.expected import becoming, removing, spelt
from llmblocks.rules.fix import Fix
from llmblocks.rules.fixes.tags.closing import text_behind
from llmblocks.rules.removal import after_line_end


def removed_inner(finding: Finding, ask: Ask) -> tuple[Fix, ...]:
    """Remove a tag inside its own block, or close the block before it."""
    tag = str(finding.data["tag"])
    end = finding.end + text_behind(ask.document, finding.end).find(">") + 1
    removed, closed = Edit(finding.start, end, ""), Edit(finding.start, finding.start, f"</{tag}>")
    return (
        Fix("Remove this tag", (removed,), becoming(removed)),
        Fix(f"Close the block before this tag with </{tag}>", (closed,), becoming(closed)),
    )


def without_bracket(finding: Finding, _: Ask) -> tuple[Fix, ...]:
    """Remove a bracket from the value of an attribute."""
    return (Fix("Remove this '>'", (Edit(finding.start, finding.end, ""),), spelt(finding, "")),)


def bare_tag(finding: Finding, ask: Ask) -> tuple[Fix, ...]:
    """Remove the bracket that hides a tag, or separate the two."""
    start, end = finding.start, finding.end
    written = ask.document.slice(start, end)
    # the block that begins could not be checked
    tag = start, end
    blank, bracket = Edit(start, start, " "), Edit(start - 1, start, "")
    separated = Fix("Put a blank before this tag", (blank,), spelt(finding, f" {written}"), uncovers=tag)
    bare = becoming(Edit(start - 1, end, written))
    removed = Fix("Remove the '<' before this tag", (bracket,), bare, uncovers=tag)
    return (removed, separated) if ask.document.slice(start - 1, start) == "<" else (separated,)


def removed_block(finding: Finding, ask: Ask) -> tuple[Fix, ...]:
    """Remove a block."""
    document, tag = ask.document, str(finding.data["tag"])
    start, closing = finding.start, f"</{tag}>"
    if document.slice(start, start + 1 + len(tag)) != f"<{tag}":
        line = document.line_start(document.position(start)[0])
        start = line + document.slice(line, start).rfind(f"<{tag}")
        if start < line:
            return ()
    behind = text_behind(document, start)
    end = behind.find(closing)
    if end < 0:
        return ()
    stop = start + end + len(closing)
    alone = not document.slice(document.line_start(document.position(start)[0]), start).strip()
    stop = after_line_end(document, stop) if alone else stop
    return (Fix("Remove this block", (Edit(start, stop, ""),), removing(Edit(start, stop, ""))),)
