"""Comment blocks that do not match."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from llmblocks.core.places import Related
from llmblocks.core.query import Query, Summary
from llmblocks.core.section import Piece, Section
from llmblocks.facts.problem import Problem
from llmblocks.stf.editor import kinds
from llmblocks.stf.rules import UNMATCHED_COMMENT_END, UNTERMINATED_COMMENT
from llmblocks.stf.syntax.place import MOST_RELATED, STILL_OPEN

_Line = tuple[int, int]


class CommentsOfPiece(NamedTuple):
    """The comment blocks of a piece that have no partner in it. Lines count from its start, without their line ends.

    Shape: `closes` is how many blocks end that began before it; `opens` are the lines of those that do not end in it,
           the outermost first; `stray` are the lines that end what is not open.
    """

    closes: int
    opens: tuple[_Line, ...]
    stray: tuple[_Line, ...]


_NONE = CommentsOfPiece(0, (), ())
_OURS = frozenset((kinds.COMMENT_OPEN, kinds.COMMENT_CLOSE, kinds.STRAY_CLOSE))


def _read(piece: Piece) -> CommentsOfPiece:
    if _OURS.isdisjoint(piece.kinds):
        return _NONE
    closes = at = 0
    opens: list[_Line] = []
    stray: list[_Line] = []
    for kind, width in piece.tokens:
        if kind is kinds.COMMENT_OPEN:
            opens.append(_line(piece.text, at))
        elif kind is kinds.STRAY_CLOSE:
            stray.append(_line(piece.text, at))
        elif kind is kinds.COMMENT_CLOSE:
            if opens:
                opens.pop()
            else:
                closes += 1
        at += width
    return CommentsOfPiece(closes, (*opens,), (*stray,)) if closes or opens or stray else _NONE


def _line(text: str, at: int) -> _Line:
    start, end = text.rfind("\n", 0, at) + 1, text.find("\n", at)
    start += text.startswith("\ufeff", start)  # a byte-order mark is no part of the line
    line = text[start : end if end >= 0 else None]
    return start, start + len(line.rstrip("\r"))


comments_of_piece: Query[Piece, CommentsOfPiece] = Query("stf comments", _read)


def opens(piece: Piece) -> bool:
    """Whether a comment block begins in a piece that does not end in it."""
    return kinds.COMMENT_OPEN in piece.kinds and bool(comments_of_piece(piece).opens)


def stray_ends(piece: Piece) -> Iterator[Problem]:
    """The lines that close a comment block that was never opened."""
    for start, end in comments_of_piece(piece).stray:
        yield Problem(UNMATCHED_COMMENT_END, start, end)


class _Open(NamedTuple):
    """The same of some neighbouring pieces. Shape: `opens` is a number, and `lines` are the first of their lines."""

    closes: int
    opens: int
    lines: tuple[_Line, ...]
    length: int


def _open_in(piece: Piece) -> _Open:
    closes, opens, _ = comments_of_piece(piece)
    return _Open(closes, len(opens), opens[: MOST_RELATED + 1], piece.length)


def _join(parts: Iterable[_Open]) -> _Open:
    closes = opens = at = 0
    lines: list[_Line] = []
    for each in parts:
        closes += max(each.closes - opens, 0)
        opens = max(opens - each.closes, 0)
        del lines[opens:]
        if opens == len(lines):
            lines += [(at + start, at + end) for start, end in each.lines]
        opens += each.opens
        at += each.length
    return _Open(closes, opens, (*lines[: MOST_RELATED + 1],), at)


_open: Summary[_Open] = Summary("open stf comments", _open_in, _join)


def unterminated(section: Section) -> Iterator[Problem]:
    """The problem of the unterminated comment block: the outermost open one at the end of the section."""
    lines = _open(section.pieces).lines if kinds.COMMENT_OPEN in section.kinds else ()
    if not lines:
        return
    (start, end), *inner = lines
    # a comment ends in the dialect in which it began
    header = section.slice(start, end).partition("/*")[0].rstrip()[-1:]
    related = tuple(Related(*line, STILL_OPEN) for line in inner)
    yield Problem(UNTERMINATED_COMMENT, start, end, {"header": header}, related)
