"""What is under the cursor, in words."""

from __future__ import annotations

from typing import NamedTuple

from llmblocks.core.section import Section, Span
from llmblocks.core.sequence import Placed
from llmblocks.languages.ask import Ask


class Hover(NamedTuple):
    """Shape: `start` and `end` are the place it is about, in code points of the document; `text` is Markdown."""

    start: int
    end: int
    text: str


def hover(ask: Ask) -> Hover | None:
    """Explain the token at a position; None where there is nothing to say."""
    sections = ask.document.sections
    placed: Placed | None = sections.at(ask.position)
    while placed is not None:
        for span in _around(placed.section, ask.position - placed.start):
            describe = ask.language.hover.get(span.kind)
            text = describe(placed.section, span) if describe else None
            if text is not None:
                return Hover(placed.start + span.start, placed.start + span.end, text)
        # between two sections, the token in front belongs to the first of them
        placed = sections.before(placed) if placed.start == ask.position else None
    return None


def _around(section: Section, offset: int) -> list[Span]:
    """The tokens that touch a place: the one behind it first, as an editor's cursor stands between characters.

    An empty header has no place to show: its start marker explains the call.
    """
    touching = []
    for span in section.spans():
        if span.start > offset:
            break
        if span.end >= offset and span.start < span.end:
            touching.append(span)
    return touching[::-1]
