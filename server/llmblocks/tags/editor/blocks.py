"""The blocks in a piece, and what is wrong with what they hold."""

from __future__ import annotations

import re
from typing import Final

from llmblocks.core.query import Query
from llmblocks.core.section import Piece, Section, Span
from llmblocks.facts.construct import ConstructFact, Part, Turn, turn_of
from llmblocks.tags.editor import kinds
from llmblocks.tags.editor.scanner import LIST, open_in
from llmblocks.tags.rules import BLANK_BLOCK

_OF_TAGS = frozenset((kinds.CLOSING, kinds.NAME))
_NOTHING, _BLANKS, _MORE = range(3)
_BLANK = re.compile(r">\s++</")


def blocks_in(piece: Section) -> tuple[Part, ...]:
    """The parts of blocks in a piece, or in several, in order."""
    before = open_in(piece.before)
    if before is None and "<" not in piece.text:
        return ()
    text, found = piece.text, list[Part]()
    inside: list[Span] = []
    is_open, head = before is not None, -1 if before is None or before.mode == LIST else 0
    start = end = -1
    at = 0

    def finish(stop: int, *, ends: bool = True, closed: bool = False) -> None:
        data = {"tag": text[start + 1 : end]}
        found.append(Part(text, (*inside,), start >= 0, ends, closed, start, end, data, head, stop))
        inside.clear()

    for number, (kind, width) in enumerate(piece.tokens):
        if is_open and (kind is kinds.OPENING or kind is kinds.TEXT):
            finish(at - 1)
            is_open = False
        if kind is kinds.OPENING:
            is_open, head = True, -1
            start, end = at, at + 1 + piece.tokens[number + 1].width
        elif is_open and kind is kinds.OPENED:
            head = at + width
        elif is_open and (kind is kinds.CLOSED or kind is kinds.SELF_CLOSED):
            finish(at, closed=kind is kinds.CLOSED)
            is_open = False
        elif is_open and head >= 0 and kind not in _OF_TAGS and width:
            inside.append(Span(kind, at, at + width))
        at += width
    if is_open:
        finish(at, ends=open_in(piece.after) is None)
    return (*found,)


BLOCKS: Final[Query[Piece, tuple[Part, ...]]] = Query("blocks", blocks_in)


def begun_in(section: Section) -> list[Part]:
    """The blocks that begin in a section."""
    return [block for block in blocks_in(section) if block.begins]


def turn_of_blocks(piece: Piece) -> Turn:
    """What a piece does to blocks."""
    return turn_of(BLOCKS(piece))


def _holds(block: Part) -> int:
    """Whether a part of a block holds nothing, only blanks, or more."""
    shown = _NOTHING
    for _, start, end in block.inside:
        if not block.text[start:end].isspace():
            return _MORE
        shown = _BLANKS
    return shown


FACTS: Final = (ConstructFact(BLANK_BLOCK, BLOCKS, _holds, max, lambda shown: shown == _BLANKS, kinds.CLOSED, _BLANK),)
