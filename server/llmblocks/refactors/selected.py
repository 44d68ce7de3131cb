"""The parts of a document that a selection touches, and the message at a cursor."""

from __future__ import annotations

import re
from collections.abc import Iterator

from llmblocks.core.document import Document
from llmblocks.core.layered import reads_crlf, state_in
from llmblocks.core.section import Span
from llmblocks.languages.ask import Ask
from llmblocks.refactors.refactoring import LONGEST
from llmblocks.stf import kinds
from llmblocks.stf.scanner import StfState

_ENDS = frozenset((kinds.MESSAGE_NAME, kinds.RAW_NAME, kinds.FLUSH_NAME))


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


def message_at(ask: Ask, offset: int) -> tuple[int, int] | None:
    """Return the message whose text contains a place; None for a raw or a long message, and outside of messages."""
    document = ask.document
    found = None
    for placed in document.backward(offset):
        at = placed.start
        for kind, width in placed.section.tokens:
            if kind in _ENDS and at + width <= offset:
                found = kind, at
            at += width
        if found is not None or offset - placed.start > LONGEST:
            break
    if found is None or found[0] is not kinds.MESSAGE_NAME:
        return None
    start, body = document.line_at(found[1])
    far = body + LONGEST
    ends = (document.line_at(at)[0] for kind, at, _ in tokens_of(document, body, far) if kind in _ENDS)
    end = next(ends, len(document) if len(document) <= far else None)
    return None if end is None or offset < body else (start, end)
