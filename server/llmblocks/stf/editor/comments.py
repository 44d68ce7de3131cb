"""Comment blocks that do not match."""

from __future__ import annotations

from collections.abc import Container, Iterator
from typing import NamedTuple

from llmblocks.core.places import Related
from llmblocks.core.problem import Problem, Spread
from llmblocks.core.query import Query, kinds_of
from llmblocks.core.rule import Rule
from llmblocks.core.section import Piece, Renewal, Section
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
    if _OURS.isdisjoint(kinds_of(piece)):
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


def stray_ends(piece: Piece) -> Iterator[Problem]:
    """The lines that close a comment block that was never opened."""
    for start, end in comments_of_piece(piece).stray:
        yield Problem(UNMATCHED_COMMENT_END, start, end)


def _open_comments(section: Section) -> tuple[tuple[int, tuple[_Line, ...]], ...]:
    if section.renews:
        known = open_comments.known(section.renews.section)
        same = None if known is None else _with_other_pieces(known, section.renews)
        if same is not None:
            return same
    still_open: list[tuple[int, tuple[_Line, ...]]] = []
    for number, piece in enumerate(section.pieces):
        closes, opens, _ = comments_of_piece(piece)
        while closes and still_open:
            other, before = still_open.pop()
            if len(before) > closes:
                still_open.append((other, before[: len(before) - closes]))
            closes = max(closes - len(before), 0)
        if opens:
            still_open.append((number, opens))
    return (*still_open,)


def _with_other_pieces(
    still_open: tuple[tuple[int, tuple[_Line, ...]], ...], renewal: Renewal
) -> tuple[tuple[int, tuple[_Line, ...]], ...] | None:
    """The open comments of a section after an edit that begins and ends none; None after another."""
    _, first, _, gone, come = renewal
    if not renewal.moved:
        return still_open if all(map(_same_comments, gone, come)) else None
    if any(comments_of_piece(piece)[:2] != _NONE[:2] for piece in (*gone, *come)):
        return None
    return tuple([(number if number < first else number + renewal.moved, opens) for number, opens in still_open])


def _same_comments(old: Piece, new: Piece) -> bool:
    return comments_of_piece(old)[:2] == comments_of_piece(new)[:2]


open_comments: Query[Section, tuple[tuple[int, tuple[_Line, ...]], ...]] = Query(
    "open stf comments", _open_comments, lasting=True
)
"""The comment blocks that are open where a section ends: piece by piece, the lines that begin them."""


def problems_across(section: Section, wanted: Container[Rule]) -> Iterator[Spread]:
    """The unterminated comment block: the outermost open one at the end of the section."""
    still_open = open_comments(section)
    if not still_open or UNTERMINATED_COMMENT not in wanted:
        return
    lines: list[_Line] = []
    for number, opens in still_open[: MOST_RELATED + 1]:
        at = section.up_to(number).length
        lines += [(at + start, at + end) for start, end in opens[: MOST_RELATED + 1]]
    (start, end), *inner = lines[: MOST_RELATED + 1]
    # a comment ends in the dialect in which it began
    header = section.slice(start, end).partition("/*")[0].rstrip()[-1:]
    related = tuple(Related(*line, STILL_OPEN) for line in inner)
    problem = Problem(UNTERMINATED_COMMENT, start, end, {"header": header}, related)
    yield Spread(still_open[0][0], (problem,))
