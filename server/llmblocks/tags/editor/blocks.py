"""The blocks in a piece, and what is wrong with what they hold."""

from __future__ import annotations

import re
from typing import Final

from llmblocks.core.layered import state_in
from llmblocks.core.query import Query
from llmblocks.core.section import Piece, Span
from llmblocks.facts.construct import ConstructFact, Part
from llmblocks.tags.editor import kinds
from llmblocks.tags.editor.scanner import LIST, State
from llmblocks.tags.rules import BLANK_BLOCK

_OF_TAGS = frozenset((kinds.CLOSING, kinds.NAME))
_NOTHING, _BLANKS, _MORE = range(3)
_BLANK = re.compile(r">\s++</")


def _open_in(state: object) -> State | None:
    found = state_in(state, State)
    return found if found is not None and found.tag else None


def _read(piece: Piece) -> tuple[Part, ...]:
    before = _open_in(piece.before)
    if before is None and "<" not in piece.text:
        return ()
    text, found = piece.text, list[Part]()
    inside: list[Span] = []
    is_open, listing = before is not None, before is not None and before.mode == LIST
    start = end = -1
    at = 0

    def finish(*, ends: bool, closed: bool) -> None:
        found.append(Part(text, (*inside,), start >= 0, ends, closed, start, end, {"tag": text[start + 1 : end]}))
        inside.clear()

    for number, (kind, width) in enumerate(piece.tokens):
        if is_open and (kind is kinds.OPENING or kind is kinds.TEXT):
            finish(ends=True, closed=False)
            is_open = False
        if kind is kinds.OPENING:
            is_open = listing = True
            start, end = at, at + 1 + piece.tokens[number + 1].width
        elif is_open and kind is kinds.OPENED:
            listing = False
        elif is_open and (kind is kinds.CLOSED or kind is kinds.SELF_CLOSED):
            finish(ends=True, closed=kind is kinds.CLOSED)
            is_open = False
        elif is_open and not listing and kind not in _OF_TAGS and width:
            inside.append(Span(kind, at, at + width))
        at += width
    if is_open:
        finish(ends=_open_in(piece.after) is None, closed=False)
    return (*found,)


BLOCKS: Final[Query[Piece, tuple[Part, ...]]] = Query("blocks", _read)


def _holds(block: Part) -> int:
    """Whether a part of a block holds nothing, only blanks, or more."""
    shown = _NOTHING
    for _, start, end in block.inside:
        if not block.text[start:end].isspace():
            return _MORE
        shown = _BLANKS
    return shown


FACTS: Final = (ConstructFact(BLANK_BLOCK, BLOCKS, _holds, max, lambda shown: shown == _BLANKS, kinds.CLOSED, _BLANK),)
