"""The lines around a place that can be read as a separate text."""

from __future__ import annotations

from typing import NamedTuple

from llmblocks.core.document import Document
from llmblocks.core.layered import Layered
from llmblocks.core.scan import Kind, Token, canonical
from llmblocks.core.sequence import Placed
from llmblocks.languages.language import Language


class Surroundings(NamedTuple):
    """Whole lines of a document, from the start of a section on."""

    start: int
    end: int
    last: bool
    """Whether nothing follows them."""
    text: str
    tokens: list[Token]

    def are(self, alone: Document) -> bool:
        """Return whether they have the same meaning as a separate document."""
        return alone.tokens() == self.tokens


def surroundings(document: Document, start: int, end: int, most: int | None = None) -> Surroundings | None:
    """Return the lines around a stretch; None if they are longer than `most`."""
    start = document.line_start(document.position(start)[0])
    end = document.line_start(document.position(end)[0] + 1)
    first = document.section_at(start)
    resets = resets_of(document)
    while first.start and not (document.slice(first.start - 1, first.start) == "\n" and _is_told(first, resets)):
        first = document.section_at(first.start - 1)
        if most is not None and end - first.start > most:
            return None
    tokens: list[Token] = []
    at = first.start
    told = not resets
    for placed in document.onward(first.start):
        # the first message decides how the text before it is read
        if told and at >= end and document.slice(at - 1, at) == "\n":
            break
        told = told or _is_told(placed, resets)
        at = placed.start + placed.section.length
        if most is not None and at - first.start > most:
            return None
        tokens += placed.section.tokens
    text = document.slice(first.start, at)
    return Surroundings(first.start, at, at == len(document), text, canonical(tokens))


def part_starts(document: Document, language: Language) -> list[int]:
    """Return the starts of the messages, or of the calls, blocks and texts, that can be read separately."""
    resets = resets_of(document)
    found, begins_line = [0], False
    for placed in document.placed():
        section = placed.section
        # an open block continues after a call
        if begins_line and _is_told(placed, resets) and (resets or not language.is_inside(section.before)):
            found.append(placed.start)
        begins_line = section.text.endswith("\n")
    return found


def resets_of(document: Document) -> frozenset[Kind]:
    """Return the kinds of tokens after which no inner construct is open."""
    return document.scanner.outer.resets if isinstance(document.scanner, Layered) else frozenset()


def _is_told(placed: Placed, resets: frozenset[Kind]) -> bool:
    """Return whether a section has values: not a message without its command line."""
    return not resets or any(token.kind in resets for token in placed.section.tokens)
