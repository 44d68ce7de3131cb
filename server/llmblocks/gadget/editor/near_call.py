"""The call at a place, read without the rest of its section."""

from __future__ import annotations

import sys
from typing import NamedTuple

from llmblocks.core.layered import state_in
from llmblocks.core.section import Section
from llmblocks.core.symbol import Symbol
from llmblocks.core.symbol_order import PlacedSymbol
from llmblocks.facts.lines import Lines
from llmblocks.facts.nearby import lines_from, state_near
from llmblocks.gadget.editor import kinds
from llmblocks.gadget.editor.names import GADGET
from llmblocks.gadget.editor.pointers import first_of_call, part_of_call
from llmblocks.gadget.editor.scanner import IN_CALL
from llmblocks.gadget.editor.view import CallView, call_in
from llmblocks.gadget.syntax.header import Header, split_header

LONGEST = 1 << 16
"""The most characters of a call that is read for an answer."""


class NearCall(NamedTuple):
    """A call.

    Shape: `header` is the rest of its first line, and at its `place`. `section` has the lines of the call, and begins
           in the section at `start`; `view` is the call in it, None if the call is too long to read.
    """

    header: str
    place: PlacedSymbol
    section: Lines
    start: int
    view: CallView | None

    @property
    def parts(self) -> Header:
        """The parts of its header."""
        return split_header(self.header)


def call_near(section: Section, offset: int, *, whole: bool = False) -> NearCall | None:
    """The call that is at an offset or continues there; None where the text before it is outside of calls.

    Shape: a call that is too long is read if `whole`.

    The cost is that of the call, or of a question about each of its stretches if it is long.
    """
    begun = first_of_call(section)
    if begun is None:
        return None
    start, here, part = begun
    if offset <= start + part.start:
        return None
    # the text before the offset counts
    if offset > start + here.length and state_in(state_near(section, offset - 1), int) not in IN_CALL:
        return None
    most = sys.maxsize if whole else LONGEST
    view = None
    length = -part.start
    # what is surely in the call, and what is surely behind it in its message
    inside = behind = 0

    def goes_on(lines: Lines) -> bool:
        nonlocal length, inside, behind
        if lines is not here:
            inside, behind = (inside, behind + lines.length) if kinds.CALL.isdisjoint(lines.kinds) else (length, 0)
        length += lines.length
        return not part_of_call(lines).closed and max(inside, behind) <= most

    window = lines_from(section, start, goes_on)
    if max(inside, behind) <= most:
        view = call_in(window)
        assert view is not None, "it begins here"
        behind = 0 if view.closed else window.length - view.end
        if max(view.end - view.start, behind) > most:
            view = None
    header = here.text[part.header : part.header_end]
    place = begun.place_of(Symbol("definition", GADGET, header, part.header, part.header_end))
    return NearCall(header, place, window, start, view)
