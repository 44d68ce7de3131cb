"""The constructs of this format, blocks and attribute lists, in some lines; and what is wrong with what blocks hold."""

from __future__ import annotations

import re
from typing import Final

from llmblocks.core.section import Span
from llmblocks.facts.construct import ConstructFact, Part, turn_of
from llmblocks.facts.lines import Lines, of_lines
from llmblocks.facts.open_construct import BEGINS, ENDS, PASSES, ConstructKind, Turn
from llmblocks.tags.editor import kinds
from llmblocks.tags.editor.scanner import LIST, open_in
from llmblocks.tags.rules import BLANK_BLOCK

_OF_TAGS = frozenset((kinds.CLOSING, kinds.NAME))
_NOTHING, _BLANKS, _MORE = range(3)
_BLANK = re.compile(r">\s++</")


def blocks_in(lines: Lines) -> tuple[Part, ...]:
    """The parts of blocks in some lines, in order."""
    text, before = lines.text, open_in(lines.before)
    if before is None and "<" not in text:
        return ()
    found, tokens = list[Part](), lines.tokens
    inside: list[Span] = []
    is_open, head = before is not None, -1 if before is None or before.mode == LIST else 0
    start = end = -1
    at = 0

    def finish(stop: int, *, ends: bool = True, closed: bool = False) -> None:
        data = {"tag": text[start + 1 : end]}
        found.append(Part(text, (*inside,), start >= 0, ends, closed, start, end, data, head, stop))
        inside.clear()

    for number, (kind, width) in enumerate(tokens):
        if is_open and (kind is kinds.OPENING or kind is kinds.TEXT):
            finish(at - 1)
            is_open = False
        if kind is kinds.OPENING:
            is_open, head = True, -1
            start, end = at, at + 1 + tokens[number + 1].width
        elif is_open and kind is kinds.OPENED:
            head = at + width
        elif is_open and (kind is kinds.CLOSED or kind is kinds.SELF_CLOSED):
            finish(at, closed=kind is kinds.CLOSED)
            is_open = False
        elif is_open and head >= 0 and kind not in _OF_TAGS and width:
            inside.append(Span(kind, at, at + width))
        at += width
    if is_open:
        finish(at, ends=open_in(lines.after) is None)
    return (*found,)


def begun_in(lines: Lines) -> list[Part]:
    """The blocks that begin in some lines."""
    return [block for block in blocks_in(lines) if block.begins]


def _turn_of_lists(lines: Lines) -> Turn:
    if not _is_listing(lines.after):
        return ENDS
    return BEGINS if kinds.OPENING in lines.kinds or not _is_listing(lines.before) else PASSES


def _is_listing(state: object) -> bool:
    """Whether an attribute list is open in a scanner's state."""
    found = open_in(state)
    return found is not None and found.mode == LIST


BLOCKS: Final = ConstructKind("blocks", of_lines("blocks", blocks_in), turn_of)
LISTS: Final = ConstructKind[Turn]("attribute lists", _turn_of_lists, lambda turn: turn)


def _holds(block: Part) -> int:
    """Whether a part of a block holds nothing, only blanks, or more."""
    shown = _NOTHING
    for _, start, end in block.inside:
        if not block.text[start:end].isspace():
            return _MORE
        shown = _BLANKS
    return shown


FACTS: Final = (ConstructFact(BLANK_BLOCK, BLOCKS, _holds, max, lambda shown: shown == _BLANKS, kinds.CLOSED, _BLANK),)
