"""The call at a place, read without the rest of its section."""

from __future__ import annotations

import sys
from typing import Any, NamedTuple

from llmblocks.core.layered import LayeredState
from llmblocks.core.query import Query
from llmblocks.core.section import Piece, Section, Stretch
from llmblocks.gadget.editor.pointers import calls_of_piece, passes
from llmblocks.gadget.editor.scanner import IN_CALL
from llmblocks.gadget.editor.view import CallView, calls

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
    """The call that is at an offset or goes on there; None where the text before it is outside of calls.

    Shape: a call that is too long is read if `whole`.

    The cost is that of the call, or of a question about each of its stretches if it is long.
    """
    pieces, most = section.pieces, sys.maxsize if whole else LONGEST
    number, inside = section.piece_at(offset)
    if inside == 0 and number:
        # the text before the offset counts
        number, inside = number - 1, pieces[number - 1].length
    first, begun = number, _begun(pieces[number], inside)
    if begun is None and not _is_in_call(pieces[number].before):
        return None
    if begun is None:
        # the call that is open where the piece begins, if there is one
        first = _last_turn(section, first)
        if first < 0 or not calls_of_piece(pieces[first]).goes_on:
            return None
        begun = len(calls_of_piece(pieces[first]).calls) - 1
    last, length = first, pieces[first].length
    if begun == len(calls_of_piece(pieces[first]).calls) - 1 and calls_of_piece(pieces[first]).goes_on:
        while last + 1 < len(pieces) and length <= most:
            last += 1
            length += pieces[last].length
            if not calls_of_piece(pieces[last]).passes:
                break
    window = section if len(pieces) == 1 else Section(pieces[first : last + 1])
    head = (calls(window) if length <= most else _calls_alone(pieces[first]))[begun]
    return NearCall(
        pieces[first].text[head.header : head.header_end],
        pieces[first],
        head.header,
        window,
        section.up_to(first).length,
        head if length <= most else None,
    )


def _last_turn(section: Section, number: int) -> int:
    """The last piece in front of one in which a call begins or ends; -1 for none."""
    pieces, end = section.pieces, len(section.pieces)
    parts: tuple[Stretch | Section, ...] = section.stretches or (section,)
    for part in reversed(parts):
        start = end - len(part.pieces)
        if start < number and not (end <= number and isinstance(part, Stretch) and passes(part)):
            for each in range(min(end, number) - 1, start - 1, -1):
                if not calls_of_piece(pieces[each]).passes:
                    return each
        end = start
    return -1


_calls_alone: Query[Piece, tuple[CallView, ...]] = Query(
    "gadget calls of a piece alone", lambda piece: calls(Section((piece,)))
)


def _is_in_call(state: Any) -> bool:
    """Whether a call is open in a scanner's state."""
    while isinstance(state, LayeredState):
        if state.outer in IN_CALL:
            return True
        state = state.inner
    return state in IN_CALL


def _begun(piece: Piece, inside: int) -> int | None:
    """The number of the last call that begins in a piece before an offset; None if none does."""
    if not calls_of_piece(piece).calls:
        return None
    found = None
    for number, view in enumerate(_calls_alone(piece)):
        if view.start >= inside:
            break
        found = number
    return found
