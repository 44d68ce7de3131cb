"""Comment blocks that do not match."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from llmblocks.core.places import Related
from llmblocks.core.section import Section
from llmblocks.facts.problem import Problem
from llmblocks.stf import kinds
from llmblocks.stf.rules import UNMATCHED_COMMENT_END, UNTERMINATED_COMMENT
from llmblocks.stf.syntax.place import MOST_RELATED, STILL_OPEN

_MOST: Final = MOST_RELATED + 1
_Line = tuple[int, int, str]
"""The start and end of a line, without its line end, and its first character."""
_OURS = frozenset((kinds.COMMENT_OPEN, kinds.COMMENT_CLOSE, kinds.STRAY_CLOSE))


def problems_of_comments(section: Section) -> Iterator[Problem]:
    """Yield the lines that end no comment block, and the outermost unclosed comment block."""
    if _OURS.isdisjoint(section.kinds):
        return
    opens: list[_Line] = []
    at = 0
    for kind, width in section.tokens:
        if kind is kinds.COMMENT_OPEN:
            opens.append(_line(section.text, at))
        elif kind is kinds.STRAY_CLOSE:
            start, end, _ = _line(section.text, at)
            yield Problem(UNMATCHED_COMMENT_END, start, end)
        elif kind is kinds.COMMENT_CLOSE and opens:
            opens.pop()
        at += width
    if opens:
        (start, end, header), *inner = opens[:_MOST]
        related = tuple([Related(*line[:2], STILL_OPEN) for line in inner])
        # a comment ends in the dialect of its beginning
        yield Problem(UNTERMINATED_COMMENT, start, end, {"header": header}, related)


def _line(text: str, at: int) -> _Line:
    start, end = text.rfind("\n", 0, at) + 1, text.find("\n", at)
    start += text.startswith("\ufeff", start)  # a byte-order mark is not part of the line
    line = text[start : end if end >= 0 else None]
    return start, start + len(line.rstrip("\r")), line[:1]
