"""Comment blocks that do not match."""

from __future__ import annotations

from typing import NamedTuple

from llmblocks.core.section import Section, Span
from llmblocks.stf import kinds

_ENDS = frozenset((kinds.COMMENT_OPEN, kinds.COMMENT_CLOSE, kinds.STRAY_CLOSE))


class CommentProblems(NamedTuple):
    """Lines, as places from the start of the section, line ends left out.

    Shape: `unmatched` are the lines that close what is not open; `unterminated` are those that open what is never
           closed, the outermost first.
    """

    unmatched: tuple[tuple[int, int], ...]
    unterminated: tuple[tuple[int, int], ...]


_NONE = CommentProblems((), ())


def comment_problems(section: Section) -> CommentProblems:
    """What does not match among the comment blocks of a section."""
    return section.remember(_problems)


def _problems(section: Section) -> CommentProblems:
    if all(token.kind not in _ENDS for token in section.tokens):
        return _NONE
    unmatched, open_lines = [], []
    header = 0
    spans = list(section.spans())
    for index, (kind, start, _) in enumerate(spans):
        if kind is kinds.HEADER:
            header = start
        elif kind is kinds.STRAY_CLOSE:
            unmatched.append((header, _line_end(section, spans, index)))
        elif kind is kinds.COMMENT_OPEN:
            open_lines.append((header, _line_end(section, spans, index)))
        elif kind is kinds.COMMENT_CLOSE and open_lines:
            open_lines.pop()
    return CommentProblems(tuple(unmatched), tuple(open_lines))


def _line_end(section: Section, spans: list[Span], index: int) -> int:
    end = spans[index].end
    if index + 1 == len(spans):
        return end
    rest = section.slice(end, spans[index + 1].end)
    newline = rest.find("\n")
    line = rest if newline < 0 else rest[:newline]
    return end + len(line.rstrip("\r"))
