"""The problems of a call as a whole: text before its arguments, and a missing end marker."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from llmblocks.core.layered import state_in
from llmblocks.core.query import Query, Summary
from llmblocks.core.section import Piece, Section
from llmblocks.core.tree import Node
from llmblocks.facts.problem import Problem
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
    """The beginning of a call in some pieces, places counted from the start of them.

    Shape: `header` is a start marker with its header; `ignored` the text after it that is before any argument,
           without blanks around it; `over` says that an argument or the end of the call is in them; `length` is theirs.
    """

    header: _Place | None
    ignored: _Place | None
    over: bool
    length: int


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
            return Beginning(header, ignored, True, len(text))
        at = end
    return Beginning(header, ignored, False, at)


def _join(parts: Iterable[Beginning]) -> Beginning:
    header: _Place | None = None
    ignored: _Place | None = None
    over, at = False, 0
    for each in parts:
        if each.header and not over:
            header = at + each.header[0], at + each.header[1]
        if each.ignored and not over:
            ignored = ignored[0] if ignored else at + each.ignored[0], at + each.ignored[1]
        over = over or each.over
        at += each.length
    return Beginning(header, ignored, over, at)


beginning: Query[Piece, Beginning] = Query("gadget call's beginning", _read)
_in_pieces: Summary[Beginning] = Summary("gadget call's beginning in pieces", beginning, _join)
_OVER = frozenset((kinds.ARG, kinds.END))


def _beginning(section: Section) -> Beginning:
    """The beginning of the call of a section: nothing behind its first argument is read."""
    found: list[Beginning] = []
    left: list[Piece | Node[Piece]] = [section.pieces]
    while left and not (found and found[-1].over):
        part = left.pop()
        if isinstance(part, Piece) or _OVER.isdisjoint(part.kinds):
            found.append(_in_pieces(part))
        else:
            left += reversed(part.children)
    return _join(found)


def problems_of_call(section: Section, markers: Markers) -> Iterator[Problem]:
    """The problems of the call of a section: one that has several pieces, or may have."""
    if not section.is_long and not _needs_a_look(section.pieces[0]):
        return
    header, ignored, *_ = _beginning(section)
    if header and _is_open(section):
        data: dict[str, object] = {"marker": markers.end}
        if section.is_last and _may_grow(section.after):
            data["case"] = "last"
        yield Problem(MISSING_END_MARKER, *header, data)
    if ignored and not _is_fence(section, *ignored):
        yield Problem(TEXT_BEFORE_ARGUMENTS, *ignored, {"marker": markers.arg})


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
