"""Edits that take something out of a text."""

from __future__ import annotations

from llmblocks.core.document import Document
from llmblocks.rules.fix import Edit


def removals(document: Document, start: int, end: int) -> list[Edit]:
    """Take out a part of a line: the whole line first, where only blanks are beside it, then the part alone."""
    line, _ = document.position(start)
    line_start, line_end = document.line_start(line), document.line_start(line + 1)
    beside = document.slice(line_start, start) + document.slice(end, line_end)
    alone = Edit(start, end, "")
    return [alone] if beside.strip(" \t\r\n") else [Edit(line_start, line_end, ""), alone]
