"""Edits that remove a part of a text."""

from __future__ import annotations

import re

from llmblocks.core.document import Document
from llmblocks.core.edits import Edit

_BOM = "\ufeff"
_RETURNS = re.compile("\r+\n")


def line_removals(document: Document, offset: int) -> list[Edit]:
    """Remove the line of a place, except for a byte-order mark; the last line, with the line end before it."""
    line, _ = document.position(offset)
    start = document.line_start(line)
    if document.slice(start, start + 1) == _BOM:
        start += 1
    end = document.line_start(line + 1)
    edits = [Edit(start, end, "")]
    if line == document.newlines and start:
        # no newline ends the last line: in one dialect the newline before it would be content
        before = 2 if document.slice(start - 2, start) == "\r\n" else 1
        edits.append(Edit(start - before, end, ""))
    return edits


def removals(document: Document, start: int, end: int) -> list[Edit]:
    """Return the removals of a part of a line to try: its whole line if nothing else is on it, then the part alone."""
    line, _ = document.position(start)
    line_start, line_end = document.line_start(line), document.line_start(line + 1)
    beside = document.slice(line_start, start) + document.slice(end, line_end)
    alone = Edit(start, end, "")
    return [alone] if beside.strip(" \t\r\n") else [Edit(line_start, line_end, ""), alone]


def after_line_end(document: Document, offset: int) -> int:
    """Return the place after the line end at a place, or the place itself."""
    following = document.slice(offset, offset + 2)
    return offset + (2 if following == "\r\n" else 1 if following[:1] == "\n" else 0)


def removed_returns(document: Document) -> tuple[Edit, ...]:
    """End each line with LF."""
    # whole line ends, because an editor has no place inside one
    return tuple([Edit(*found.span(), "\n") for found in _RETURNS.finditer(document.text)])
