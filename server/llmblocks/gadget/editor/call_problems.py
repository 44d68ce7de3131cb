"""The problems of a call as a whole: text before its arguments, and a missing end marker."""

from __future__ import annotations

import re
from collections.abc import Iterator

from llmblocks.core.layered import state_in
from llmblocks.core.query import Query, Summary
from llmblocks.core.section import Piece, Section
from llmblocks.core.tree import Node
from llmblocks.facts.problem import Problem
from llmblocks.gadget.editor import kinds
from llmblocks.gadget.editor.pointers import first_of_call, part_of_call
from llmblocks.gadget.editor.scanner import IN_CALL
from llmblocks.gadget.rules import MISSING_END_MARKER, TEXT_BEFORE_ARGUMENTS
from llmblocks.gadget.syntax.javascript import SPACE
from llmblocks.gadget.syntax.markers import Markers

_Place = tuple[int, int]
_FENCE = re.compile("```(?:toml|yaml|json)?", re.IGNORECASE | re.ASCII)
_LONGEST_FENCE = 7


def _read(piece: Piece) -> _Place | None:
    """The text between the header and the first argument that is in a piece, without the blanks around it."""
    start, end, at, text = -1, -1, 0, piece.text
    for kind, width in piece.tokens if kinds.IGNORED in piece.kinds else ():
        written = text[at : at + width] if kind is kinds.IGNORED else ""
        if inner := written.strip(SPACE):
            end = at + written.index(inner) + len(inner)
            start = end - len(inner) if start < 0 else start
        at += width
    return None if start < 0 else (start, end)


_ignored: Query[Piece, _Place | None] = Query("text before arguments", _read)
_has_ignored: Summary[bool] = Summary("has text before arguments", lambda piece: _ignored(piece) is not None, any)


def _may_have_ignored(part: Piece | Node[Piece]) -> bool:
    return kinds.IGNORED in part.kinds and _has_ignored(part)


def problems_of_call(section: Section, markers: Markers) -> Iterator[Problem]:
    """The problems of the call of a section: one that has several pieces, or may have."""
    begun = first_of_call(section) if kinds.END not in section.kinds else None
    if begun is not None:
        piece, (_, at, *_) = begun
        part = part_of_call(piece)
        data: dict[str, object] = {"marker": markers.end}
        if section.is_last and _may_grow(section.after):
            data["case"] = "last"
        header = piece.text[: part.header_end].rstrip(SPACE)
        end = max(len(header), part.header)
        yield Problem(MISSING_END_MARKER, at + part.start, at + end, data)
    first = next(section.where(_may_have_ignored), None)
    if first is not None and (begins := _ignored(first[0])) is not None:
        last = section.pieces.last(_may_have_ignored, len(section.pieces))
        ends = _ignored(section.pieces[last])
        assert ends is not None, "it is one of those that have some"
        place = first[1].length + begins[0], section.up_to(last).length + ends[1]
        if not _is_fence(section, *place):
            yield Problem(TEXT_BEFORE_ARGUMENTS, *place, {"marker": markers.arg})


def _is_fence(section: Section, start: int, end: int) -> bool:
    """Whether text is the opening of a fence around the arguments, which the runtime takes off."""
    return end - start <= _LONGEST_FENCE and _FENCE.fullmatch(section.slice(start, end)) is not None


def _may_grow(state: object) -> bool:
    """Whether a call is open in a state. Around a call, a command can end its message without a token of the call."""
    return state_in(state, int) in IN_CALL
