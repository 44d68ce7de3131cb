"""Fixes of comments that silence nothing, and of documents that embed texts."""

from __future__ import annotations

from collections.abc import Iterator

from llmblocks.core.edits import Edit
from llmblocks.facts.finding import Finding
from llmblocks.languages.ask import Ask
from llmblocks.rules.fix import SAME, Fix, changing, line_removals, outside, removals


def removed_silence(finding: Finding, ask: Ask) -> Iterator[Fix]:
    """Remove a comment, or one of its codes. Safe if comments are not part of any value."""
    document, start, end = ask.document, finding.start, finding.end
    safe = ask.language.loaded[0].comments != frozenset()
    title = "Remove this code"
    if finding.data.get("case") != "code":
        title = "Remove this comment"
        edits = line_removals(document, start) if safe else removals(document, start, end)
    else:
        line, next_line = document.line_at(start)
        before, behind = document.slice(line, start), document.slice(end, next_line)
        rest = behind.lstrip(" \t")
        if rest.startswith(","):
            end += len(behind) - len(rest[1:].lstrip(" \t"))
        else:
            end += len(behind) - len(rest)
            start -= len(before) - len(before.rstrip(" \t,"))
        edits = [Edit(start, end, "")]
    for edit in edits:
        yield Fix(title, (edit,), SAME if safe else outside(edit), safe)


def marked(finding: Finding, _: object = None) -> Iterator[Fix]:
    """Mark a text that nothing reads, if there is a place for the mark."""
    mark = finding.data.get("mark")
    if isinstance(mark, Edit):
        yield changing(outside, str(finding.data["title"]), mark.moved(finding.start))
