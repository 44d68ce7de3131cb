"""Hovers, and the call at a position as its gadget receives it."""

from __future__ import annotations

from collections.abc import Set
from typing import NamedTuple

from llmblocks.contract.answers import ReceivedCall, Subject
from llmblocks.core.scan import Kind
from llmblocks.core.section import Section, Span
from llmblocks.languages.ask import Ask
from llmblocks.rules.languages_in_blocks import ask_inside

_MOST = 4096
"""The maximum length of a marked token on either side of a position."""


class Hover(NamedTuple):
    start: int
    """The start of the explained text, in code points of the document."""
    end: int
    text: str
    """Markdown."""


def hover(ask: Ask) -> Hover | None:
    """Explain the token at a position; None without an explanation."""
    if ask.settings.declared_tags:
        within = ask_inside(ask)
        if within is not None and (found := hover(within.ask)) is not None:
            return Hover(found.start + within.start, found.end + within.start, found.text)
    prose = {kind for layer in ask.language.loaded for kind in layer.text}
    for placed in ask.document.backward(ask.position):
        for span in _around(placed.section, ask.position - placed.start, prose):
            describe = ask.language.hover.get(span.kind)
            inside = ask.position - placed.start
            text = describe(Subject(placed.section, span, inside, ask.settings, ask.index)) if describe else None
            if text is not None:
                return Hover(placed.start + span.start, placed.start + span.end, text)
        # between two sections, the token before the position belongs to the first
        if placed.start != ask.position:
            break
    return None


def _around(section: Section, offset: int, prose: Set[Kind]) -> list[Span]:
    """Return the tokens that touch an offset, the one after it first, since an editor's cursor is between characters.

    An empty header has no text to show: its start marker explains the call. A long token is cut; prose is cut to its
    line.
    """
    text = section.text
    line = text.rfind("\n", 0, offset) + 1, (text.find("\n", offset) + 1 or len(text) + 1) - 1
    touching = []
    for kind, start, end in section.spans():
        if start <= offset <= end and start < end:
            first, last = line if kind in prose else (offset - _MOST, offset + _MOST)
            touching.append(Span(kind, max(start, first), min(end, last)))
    return touching[::-1]


def received(ask: Ask) -> ReceivedCall | None:
    """Return the call at a position, or the one that begins on its line; None without one."""
    document = ask.document
    start, end = document.line_at(ask.position)
    ends = start + len(document.slice(start, end).removesuffix("\n"))
    return _received(ask, ask.position) or _received(ask, ends)


def _received(ask: Ask, offset: int) -> ReceivedCall | None:
    found = [layer.received() for layer in ask.language.loaded if layer.received is not None]
    for placed in ask.document.backward(offset):
        for received_at in found:
            call = received_at(placed.section, offset - placed.start, ask.settings)
            if call is not None:
                return call
        # between two sections, the text before the position belongs to the first
        if placed.start != offset:
            break
    return None
