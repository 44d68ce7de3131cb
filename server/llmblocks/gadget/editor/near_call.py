"""The call at a place, read without the rest of its section."""

from __future__ import annotations

import sys
from bisect import bisect_left
from collections.abc import Callable
from itertools import accumulate
from operator import attrgetter
from typing import NamedTuple

from llmblocks.core.layered import state_in
from llmblocks.core.query import Query
from llmblocks.core.scan import Kind, Token
from llmblocks.core.section import Piece, Section
from llmblocks.facts.construct import pieces_in
from llmblocks.gadget.editor import kinds
from llmblocks.gadget.editor.pointers import calls_of_piece, last_turn
from llmblocks.gadget.editor.scanner import IN_CALL
from llmblocks.gadget.editor.view import CallView, calls

_kind: Callable[[Token], Kind] = attrgetter("kind")
_width: Callable[[Token], int] = attrgetter("width")

LONGEST = 1 << 16
"""The most characters of a call that is read for an answer."""


class NearCall(NamedTuple):
    """A call.

    Shape: `header` is the rest of its first line, and begins in `piece` at the offset `at`. `section` has the pieces of
           the call, and begins in the section at `start`; `view` is the call in it, None if the call is too long to
           read.
    """

    header: str
    piece: Piece
    at: int
    section: Section
    start: int
    view: CallView | None


def call_near(section: Section, offset: int, *, whole: bool = False) -> NearCall | None:
    """The call that is at an offset or continues there; None where the text before it is outside of calls.

    Shape: a call that is too long is read if `whole`.

    The cost is that of the call, or of a question about each of its stretches if it is long.
    """
    pieces, most = section.pieces, sys.maxsize if whole else LONGEST
    number, inside = section.piece_at(offset)
    if inside == 0 and number:
        # the text before the offset counts
        number, inside = number - 1, pieces[number - 1].length
    first, begun = number, bisect_left(heads(pieces[number]), inside, key=_start) - 1
    if begun < 0 and state_in(pieces[number].before, int) not in IN_CALL:
        return None
    if begun < 0:
        # the call that is open where the piece begins, if there is one
        first = last_turn(section, first)
        if first < 0 or not calls_of_piece(pieces[first]).goes_on:
            return None
        begun = len(calls_of_piece(pieces[first]).calls) - 1
    here = pieces[first]
    head, of_piece = heads(here)[begun], calls_of_piece(here)
    taken, length, ended = [here], here.length - head.start, True
    behind = _behind_call(here)
    if begun == len(of_piece.calls) - 1 and of_piece.goes_on:
        ends = True
        for piece in pieces_in(pieces.behind(first + 1)):
            if max(length - behind, behind) > most or (ends and len(taken) > 1):
                break
            taken.append(piece)
            length += piece.length
            own = _behind_call(piece)
            behind = behind + own if own == piece.length else own
            ends = not calls_of_piece(piece).passes
        ended = max(length - behind, behind) <= most or ends
    window = Section(taken) if section.is_long else section
    view = calls(window)[begun] if ended else None
    # where pieces end must not show
    if view is not None and max(view.end - view.start, 0 if view.closed else _behind_open(window, view)) > most:
        view = None
    return NearCall(
        here.text[head.header : head.header_end],
        here,
        head.header,
        window,
        section.up_to(first).length,
        view,
    )


def _behind_call(piece: Piece) -> int:
    """The width of what is behind the last token of a call in a piece, such as a line of another format."""
    width = 0
    for token in reversed(piece.tokens):
        if token.kind in kinds.CALL:
            break
        width += token.width
    return width


def _behind_open(section: Section, view: CallView) -> int:
    """The width of what is behind a call that is open where a section ends; 0 for any other call."""
    behind = 0
    for piece in reversed(section.pieces):
        own = _behind_call(piece)
        behind += own
        if own < piece.length:
            break
    return behind if view.end + behind == section.length else 0


class Head(NamedTuple):
    """The first line of a call. Shape: see `CallView`."""

    start: int
    header: int
    header_end: int


_start: Callable[[Head], int] = attrgetter("start")


def _read(piece: Piece) -> list[Head]:
    if not calls_of_piece(piece).calls:
        return []
    every = [*map(_kind, piece.tokens)]
    ends = [*accumulate(map(_width, piece.tokens))]
    found = []
    number = -1
    for _ in range(every.count(kinds.START)):
        number = every.index(kinds.START, number + 1)
        header = header_end = ends[number]
        for kind, end in zip(every[number + 1 :], ends[number + 1 :], strict=True):
            if kind is kinds.HEADER:
                header_end = end
            elif kind is kinds.HEADER_END:
                found.append(Head(header - piece.tokens[number].width, header, header_end))
                break
            elif kind is kinds.START or kind is kinds.END:
                break
    return found


heads: Query[Piece, list[Head]] = Query("first lines of calls", _read)
"""The first lines of the calls that begin in a piece."""
