"""Refactorings: edits on request, where nothing is wrong, and the proof that they lead to the values expected."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from llmblocks.core.document import Document
from llmblocks.core.edits import Edit, edited
from llmblocks.core.layered import reads_crlf, state_in
from llmblocks.core.section import Span
from llmblocks.languages.ask import Ask
from llmblocks.rules.fix import SAME, Expected, agree, values_of
from llmblocks.rules.surroundings import surroundings
from llmblocks.stf import kinds
from llmblocks.stf.scanner import StfState


class Offer(NamedTuple):
    title: str
    edits: tuple[Edit, ...] = ()
    """Ordered edits that do not touch."""
    expected: Expected = SAME
    refused: str = ""
    """The reason for the lack of edits."""


@dataclass(frozen=True, slots=True)
class Refactoring:
    name: str
    layer: str
    """The format that it changes, alone or inside another."""
    summary: str
    keeps: str
    """Names the things that do not change."""
    offer: Callable[[Ask], Iterable[Offer]]
    """Yields the offers for a selection, or for a cursor."""
    language: str
    """The language of the example."""
    before: str
    """Like `after`, an example and a test: `«` and `»` mark the selection, `«»` the cursor."""
    after: str


LONGEST = 1 << 16
"""The most characters that are read to offer a refactoring."""


def is_proved(ask: Ask, offer: Offer) -> bool:
    """Return whether edits lead to the values expected, by a part of the document up to `LONGEST`."""
    document, language, settings = ask.document, ask.language, ask.settings
    first, last = offer.edits[0], offer.edits[-1]
    # the line before an edit may end there no longer
    around = surroundings(document, max(first.start - 1, 0), last.end, LONGEST)
    if around is not None and not around.are(language.open(around.text, settings)):
        around = None
    if around is None and len(document) > LONGEST:
        return False
    start, old, is_last = (around.start, around.text, around.last) if around else (0, document.text, True)
    new = edited(old, [each.moved(-start) for each in offer.edits])
    if not is_last and language.open(new, settings).end_state != language.open(old, settings).end_state:
        return False
    before, after = (values_of(each, language, settings) for each in (old, new))
    changes = offer.expected.changes
    return agree(before, after, changes, in_messages=not changes, in_place=True)


def tokens_of(document: Document, start: int, end: int) -> Iterator[Span]:
    """Yield the tokens with text between two places, uncut."""
    for placed in document.onward(start):
        at = placed.start
        for kind, width in placed.section.tokens:
            if at >= end:
                return
            if at + width > start:
                yield Span(kind, at, at + width)
            at += width


def header_of(ask: Ask, offset: int) -> str:
    """Return the first character of command lines around a place; empty without any."""
    state = state_in(ask.document.section_at(offset).section.after, StfState)
    return "" if state is None else state.dialect or "@"


def as_lines(ask: Ask, offset: int, text: str) -> str:
    """Write whole lines in the syntax of the format around them, with the line end of the line at a place."""
    document = ask.document
    if header := header_of(ask, offset):
        text = re.sub(rf"^(?={re.escape(header)})", header, text, flags=re.MULTILINE)
    _, end = document.line_at(offset)
    reads_both = ask.language.layers == ("tags",) or reads_crlf(document.section_at(offset).section.after)
    return text.replace("\n", "\r\n") if reads_both and document.slice(end - 2, end) == "\r\n" else text


def message_at(ask: Ask) -> str | None:
    """Return the message of a chat around the cursor; None for a raw one, and outside of messages."""
    around = surroundings(ask.document, ask.position, ask.position)
    if around is None or kinds.MESSAGE_NAME not in [token.kind for token in around.tokens]:
        return None
    return around.text
