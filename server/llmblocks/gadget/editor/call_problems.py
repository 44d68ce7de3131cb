"""The problems of a call as a whole: text before its arguments, and a missing end marker."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator
from typing import NamedTuple

from llmblocks.core.layered import state_in
from llmblocks.core.problem import Problem, Spread
from llmblocks.core.query import Query
from llmblocks.core.rule import Rule
from llmblocks.core.section import Piece, Section, Stretch
from llmblocks.gadget.editor import kinds
from llmblocks.gadget.editor.pointers import calls_of_piece, last_turn
from llmblocks.gadget.editor.scanner import IN_CALL
from llmblocks.gadget.rules import MISSING_END_MARKER, TEXT_BEFORE_ARGUMENTS
from llmblocks.gadget.syntax.javascript import SPACE
from llmblocks.gadget.syntax.markers import Markers

_Place = tuple[int, int]
_FENCE = re.compile("```(?:toml|yaml|json)?", re.IGNORECASE | re.ASCII)
_LONGEST_FENCE = 7


class Beginning(NamedTuple):
    """The beginning of a call in a piece, places counted from the start of that.

    Shape: `header` is a start marker with its header; `ignored` the text after it that is before any argument,
           without blanks around it; `over` says that an argument or the end of the call is in the piece.
    """

    header: _Place | None
    ignored: _Place | None
    over: bool


def _read(piece: Piece) -> Beginning:
    header: _Place | None = None
    ignored: _Place | None = None
    at, text = 0, piece.text
    for kind, width in piece.tokens:
        end = at + width
        if kind is kinds.START:
            header = at, end
        elif kind is kinds.HEADER and header:
            header = header[0], at + len(text[at:end].rstrip(SPACE))
        elif kind is kinds.IGNORED:
            written = text[at:end]
            if inner := written.strip(SPACE):
                start = at + written.index(inner)
                ignored = ignored[0] if ignored else start, start + len(inner)
        elif kind is kinds.ARG or kind is kinds.END:
            return Beginning(header, ignored, over=True)
        at = end
    return Beginning(header, ignored, over=False)


beginning: Query[Piece, Beginning] = Query("gadget call's beginning", _read)


def problems_of_call(section: Section, wanted: Container[Rule], markers: Markers) -> Iterator[Spread]:
    """The problems of the call of a section: one that has several pieces, or may have."""
    if not section.is_long and not _needs_a_look(section.pieces[0]):
        return
    is_open = MISSING_END_MARKER in wanted and _is_open(section)
    header: tuple[int, int, int] | None = None
    ignored: tuple[int, int, int] | None = None
    for number, start, piece in _pieces(section):
        found = beginning(piece)
        if found.header:
            header = number, start + found.header[0], start + found.header[1]
        if found.ignored:
            first, at, _ = ignored or (number, start + found.ignored[0], 0)
            ignored = first, at, start + found.ignored[1]
        if found.over:
            break
    if is_open and header:
        data: dict[str, object] = {"marker": markers.end}
        if section.is_last and _may_grow(section.after):
            data["case"] = "last"
        yield Spread(header[0], (Problem(MISSING_END_MARKER, *header[1:], data),))
    if ignored and TEXT_BEFORE_ARGUMENTS in wanted and not _is_fence(section, *ignored[1:]):
        yield Spread(ignored[0], (Problem(TEXT_BEFORE_ARGUMENTS, *ignored[1:], {"marker": markers.arg}),))


def _pieces(section: Section) -> Iterator[tuple[int, int, Piece]]:
    """The pieces that may show the beginning of a call, each with its number and its start in the section."""
    number = start = 0
    parts: tuple[Stretch | Section, ...] = section.stretches or (section,)
    for part in parts:
        pieces = part.pieces
        if isinstance(part, Stretch) and not _begins_call(part):
            number += len(pieces)
            start += part.measure.length
            continue
        for piece in pieces:
            yield number, start, piece
            number += 1
            start += piece.length


_begins_call: Query[Stretch, bool] = Query(
    "a call begins in pieces", lambda stretch: any(any(beginning(piece)) for piece in stretch.pieces)
)


def _is_fence(section: Section, start: int, end: int) -> bool:
    """Whether text is the opening of a fence around the arguments, which the runtime takes off."""
    return end - start <= _LONGEST_FENCE and _FENCE.fullmatch(section.slice(start, end)) is not None


def _needs_a_look(piece: Piece) -> bool:
    """Whether the call of a piece has text before its arguments, or does not end in it: most have neither."""
    if calls_of_piece(piece).goes_on:
        return True
    for kind, _ in piece.tokens:
        if kind is kinds.IGNORED:
            return True
        if kind is kinds.ARG or kind is kinds.END:
            return False
    return False


def _is_open(section: Section) -> bool:
    """Whether the call of a section goes on until the section is over."""
    turn = last_turn(section, len(section.pieces))
    return turn >= 0 and calls_of_piece(section.pieces[turn]).goes_on


def _may_grow(state: object) -> bool:
    """Whether a call is open in a state. Around a call, a command can end its message without a token of the call."""
    return state_in(state, int) in IN_CALL
