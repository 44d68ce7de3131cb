"""Hover."""

from __future__ import annotations

from typing import NamedTuple

from llmblocks.core.layer import Subject
from llmblocks.core.section import Section, Span
from llmblocks.core.sequence import Placed
from llmblocks.languages.ask import Ask

_REACH = 2
"""The number of pieces on either side of a position in which its token is looked for."""


class Hover(NamedTuple):
    """Shape: `start` and `end` are the explained text, in code points of the document; `text` is Markdown."""

    start: int
    end: int
    text: str


def hover(ask: Ask) -> Hover | None:
    """Explain the token at a position; None without an explanation."""
    sections = ask.document.sections
    placed: Placed | None = sections.at(ask.position)
    while placed is not None:
        for span in _around(placed.section, ask.position - placed.start):
            describe = ask.language.hover.get(span.kind)
            inside = ask.position - placed.start
            text = describe(Subject(placed.section, span, inside, ask.settings, ask.index)) if describe else None
            if text is not None:
                return Hover(placed.start + span.start, placed.start + span.end, text)
        # between two sections, the token before the position belongs to the first
        placed = sections.before(placed) if placed.start == ask.position else None
    return None


def _around(section: Section, offset: int) -> list[Span]:
    """The tokens that touch an offset, the one after it first: an editor's cursor is between characters.

    An empty header has no text to show: its start marker explains the call. A token of many pieces is cut.
    """
    number, inside = section.piece_at(offset)
    at = offset - inside
    first = max(number - _REACH, 0)
    at -= sum([piece.length for piece in section.pieces[first:number]])
    touching = []
    for kind, start, end in Section(section.pieces[first : number + _REACH + 1]).spans():
        if at + start > offset:
            break
        if at + end >= offset and start < end:
            touching.append(Span(kind, at + start, at + end))
    return touching[::-1]
