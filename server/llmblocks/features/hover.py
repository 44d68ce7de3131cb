"""Hover."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from itertools import accumulate
from operator import attrgetter
from typing import NamedTuple

from llmblocks.contract.subject import Subject
from llmblocks.core.scan import Token
from llmblocks.core.section import Joined, Section, Span
from llmblocks.languages.ask import Ask
from llmblocks.rules.languages_in_blocks import ask_inside

_width: Callable[[Token], int] = attrgetter("width")
_MOST = 4096
"""The most characters of a token that a hover marks on either side of a position."""


class Hover(NamedTuple):
    """Shape: `start` and `end` are the explained text, in code points of the document; `text` is Markdown."""

    start: int
    end: int
    text: str


def hover(ask: Ask) -> Hover | None:
    """Explain the token at a position; None without an explanation."""
    if ask.settings.declared_tags:
        within = ask_inside(ask)
        if within is not None and (found := hover(within.ask)) is not None:
            return Hover(*within.outside(found.start, found.end), found.text)
    for placed in ask.document.backward(ask.position):
        for span in _around(placed.section, ask.position - placed.start):
            describe = ask.language.hover.get(span.kind)
            inside = ask.position - placed.start
            text = describe(Subject(placed.section, span, inside, ask.settings, ask.index)) if describe else None
            if text is not None:
                return Hover(placed.start + span.start, placed.start + span.end, text)
        # between two sections, the token before the position belongs to the first
        if placed.start != ask.position:
            break
    return None


def _around(section: Section, offset: int) -> list[Span]:
    """The tokens that touch an offset, the one after it first: an editor's cursor is between characters.

    An empty header has no text to show: its start marker explains the call. A long token is cut.
    """
    first, last = (section.piece_at(min(max(at, 0), section.length))[0] for at in (offset - _MOST, offset + _MOST))
    # where pieces end must not show
    return [
        Span(kind, max(start, offset - _MOST), min(end, offset + _MOST))
        for kind, start, end in _touching(section, first, last + 1, offset)
    ]


def _touching(section: Section, first: int, last: int, offset: int) -> list[Span]:
    """The tokens in some pieces that touch an offset, the one after it first."""
    at = section.up_to(first).length
    tokens = Joined(section.pieces[first:last]).tokens
    places = [*accumulate(map(_width, tokens), initial=at)]
    number = bisect_left(places, offset, 1) - 1
    # the token may have been split
    while 0 < number < len(tokens) and tokens[number].kind.merges and tokens[number - 1].kind is tokens[number].kind:
        number -= 1
    touching = []
    while number < len(tokens) and places[number] <= offset:
        kind, start = tokens[number].kind, places[number]
        number += 1
        while kind.merges and number < len(tokens) and tokens[number].kind is kind:
            number += 1
        if start < places[number]:
            touching.append(Span(kind, start, places[number]))
    return touching[::-1]
