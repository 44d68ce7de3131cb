"""Hover."""

from __future__ import annotations

from typing import NamedTuple

from llmblocks.core.section import Section, Span
from llmblocks.core.sequence import Placed
from llmblocks.languages.ask import Ask


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
            text = describe(placed.section, span) if describe else None
            if text is not None:
                return Hover(placed.start + span.start, placed.start + span.end, text)
        # between two sections, the token before the position belongs to the first
        placed = sections.before(placed) if placed.start == ask.position else None
    return None


def _around(section: Section, offset: int) -> list[Span]:
    """The tokens that touch an offset, the one after it first: an editor's cursor is between characters.

    An empty header has no text to show: its start marker explains the call.
    """
    touching = []
    for span in section.spans():
        if span.start > offset:
            break
        if span.end >= offset and span.start < span.end:
            touching.append(span)
    return touching[::-1]
