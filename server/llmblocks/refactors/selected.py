"""The parts of a document that a selection touches."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from llmblocks.core.document import Document
from llmblocks.core.layered import reads_crlf, state_in
from llmblocks.core.section import Span
from llmblocks.languages.ask import Ask
from llmblocks.stf.scanner import StfState


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


def state_at(document: Document, offset: int) -> Any:
    """Return the state of the scanner after the section at a place."""
    return document.section_at(offset).section.after


def header_of(ask: Ask, offset: int) -> str:
    """Return the first character of command lines around a place; empty without any."""
    state = state_in(state_at(ask.document, offset), StfState)
    return "" if state is None else state.dialect or "@"


def newline_of(ask: Ask, offset: int) -> str:
    """Return the line end at a place if the formats read both the same."""
    document = ask.document
    end = document.line_start(document.position(offset)[0] + 1)
    is_both = document.slice(end - 2, end) == "\r\n"
    return "\r\n" if is_both and (ask.language.layers == ("tags",) or reads_crlf(state_at(document, offset))) else "\n"


def as_lines(ask: Ask, offset: int, text: str) -> str:
    """Write whole lines in the syntax of the format around them, with the line end of the line at a place."""
    header = header_of(ask, offset)
    if header:
        text = re.sub(rf"^(?={re.escape(header)})", header, text, flags=re.MULTILINE)
    return text.replace("\n", newline_of(ask, offset))
