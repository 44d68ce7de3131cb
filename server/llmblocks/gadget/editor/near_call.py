"""The call at a place, read without the rest of its section."""

from __future__ import annotations

import sys
from typing import NamedTuple

from llmblocks.core.layered import state_in
from llmblocks.core.section import Joined, Piece, Section
from llmblocks.core.tree import Measure, Node
from llmblocks.gadget.editor import kinds
from llmblocks.gadget.editor.pointers import part_of_call
from llmblocks.gadget.editor.scanner import IN_CALL
from llmblocks.gadget.editor.view import CallView, call_in
from llmblocks.gadget.syntax.header import Header, split_header

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

    @property
    def parts(self) -> Header:
        """The parts of its header."""
        return split_header(self.header)


def first_of_call(section: Section) -> tuple[Piece, Measure] | None:
    """The piece of a section in which its call begins, with what is before it; None for a section without a call."""
    found = next(section.where(_has_start), None)
    return found if found and part_of_call(found[0]).begins else None


def _has_start(part: Piece | Node[Piece]) -> bool:
    return kinds.START in part.kinds


def call_near(section: Section, offset: int, *, whole: bool = False) -> NearCall | None:
    """The call that is at an offset or continues there; None where the text before it is outside of calls.

    Shape: a call that is too long is read if `whole`.

    The cost is that of the call, or of a question about each of its stretches if it is long.
    """
    begun = first_of_call(section)
    if begun is None:
        return None
    here, (first, start, *_) = begun
    part = part_of_call(here)
    if offset <= start + part.start:
        return None
    if offset > start + here.length:
        # the text before the offset counts
        number, _ = section.piece_at(offset - 1)
        if state_in(section.pieces[number].before, int) not in IN_CALL:
            return None
    most = sys.maxsize if whole else LONGEST
    window, view = section, None
    taken, length, goes_on = [here], here.length - part.start, not part.closed
    # what is surely in the call, and what is surely behind it in its message
    inside = behind = 0
    if section.is_long:
        for piece in section.pieces.onward(first + 1):
            if not goes_on or max(inside, behind) > most:
                break
            inside, behind = (inside, behind + piece.length) if kinds.CALL.isdisjoint(piece.kinds) else (length, 0)
            taken.append(piece)
            length += piece.length
            goes_on = not part_of_call(piece).closed
        window = Joined(taken)
    if max(inside, behind) <= most:
        view = call_in(window)
        assert view is not None, "it begins here"
        behind = 0 if view.closed else window.length - view.end
        if max(view.end - view.start, behind) > most:
            view = None
    return NearCall(here.text[part.header : part.header_end], here, part.header, window, start, view)
