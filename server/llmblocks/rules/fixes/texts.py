"""Fixes for several formats, and of documents that embed texts."""

from __future__ import annotations

from collections.abc import Iterator

from llmblocks.core.edits import Edit
from llmblocks.facts.finding import Finding
from llmblocks.languages.ask import Ask
from llmblocks.rules.fix import Fix, changing, everywhere, line_removals, removals, removed_returns, rewriting
from llmblocks.stf.scanner import state_of
from llmblocks.stf.syntax import SEMICOLON

_MARKS = {"G": "marker", "M": "delimiter", "T": "tag"}


def removed(finding: Finding, ask: Ask) -> Iterator[Fix]:
    """Remove a marker, tag or delimiter: with its line if nothing else is on it, or else alone."""
    for edit in removals(ask.document, finding.start, finding.end):
        yield changing(f"Remove this {_MARKS[finding.code[0]]}", edit)


def written(finding: Finding, _: Ask) -> Iterator[Fix]:
    if better := str(finding.data["better"]):
        yield rewriting(finding, better, f"Write {better}")


def line_feeds(_: Finding, ask: Ask) -> Iterator[Fix]:
    """End all lines with LF. Never safe: an editor or git may be set to write CRLF, and would do so again."""
    document = ask.document
    # the first line end may precede everything that shows the dialect
    kept = ask.language.layers[0] != "stf" or state_of(document.end_state).dialect == SEMICOLON.header
    if edits := removed_returns(document):
        title = "End all lines with LF"
        yield everywhere(title, *edits) if kept else Fix(title, edits)


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
        yield Fix(title, (edit,), safe=True) if safe else changing(title, edit)


def marked(finding: Finding, _: object = None) -> Iterator[Fix]:
    """Mark a text that nothing reads, if there is a place for the mark."""
    mark = finding.data.get("mark")
    if isinstance(mark, Edit):
        yield changing(str(finding.data["title"]), mark.moved(finding.start))
