"""The message at a cursor, for the refactorings of chats."""

from __future__ import annotations

from llmblocks.languages.ask import Ask
from llmblocks.refactors.proof import LONGEST
from llmblocks.refactors.selected import tokens_of
from llmblocks.stf import kinds

_ENDS = frozenset((kinds.MESSAGE_NAME, kinds.RAW_NAME, kinds.FLUSH_NAME))


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
    line = document.position(found[1])[0]
    start, body = document.line_start(line), document.line_start(line + 1)
    end = _end(ask, body)
    return None if end is None or offset < body else (start, end)


def _end(ask: Ask, body: int) -> int | None:
    document, far = ask.document, body + LONGEST
    for kind, at, _ in tokens_of(document, body, far):
        if kind in _ENDS:
            return document.line_start(document.position(at)[0])
    return len(document) if len(document) <= far else None
