"""Comment blocks that do not match."""

from __future__ import annotations

from typing import NamedTuple

from llmblocks.core.scan import Kind
from llmblocks.core.section import Piece, Section
from llmblocks.stf.editor import kinds

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
    unmatched, open_lines = [], []
    at = 0
    for piece in section.pieces:
        for kind, start, end in piece.remember(_ends_in):
            if kind is kinds.STRAY_CLOSE:
                unmatched.append((at + start, at + end))
            elif kind is kinds.COMMENT_OPEN:
                open_lines.append((at + start, at + end))
            elif open_lines:
                open_lines.pop()
        at += len(piece.text)
    return CommentProblems(tuple(unmatched), tuple(open_lines)) if unmatched or open_lines else _NONE


def _ends_in(piece: Piece) -> tuple[tuple[Kind, int, int], ...]:
    """The lines of a piece that begin or end a comment block: which, and from where to where."""
    found = []
    at = 0
    for kind, width in piece.tokens:
        if kind in _ENDS:
            start, end = piece.text.rfind("\n", 0, at) + 1, piece.text.find("\n", at)
            line = piece.text[start : end if end >= 0 else None]
            found.append((kind, start, start + len(line.rstrip("\r"))))
        at += width
    return tuple(found)
