"""The blocks of a section, and blocks with only white space."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from llmblocks.core.query import Query
from llmblocks.core.section import Section, Span
from llmblocks.facts.problem import Problem
from llmblocks.facts.rule import NO_DATA
from llmblocks.tags import kinds
from llmblocks.tags.rules import BLANK_BLOCK
from llmblocks.tags.scanner import LIST, open_in

_OF_TAGS = frozenset((kinds.CLOSING, kinds.NAME))
_BLANK = re.compile(r">\s++</")


class BlockPart(NamedTuple):
    """The part of a block in a section, with places counted from its start.

    A block with a call inside has several parts.
    """

    text: str
    """The text of the section."""
    inside: tuple[Span, ...]
    """The tokens of the block there."""
    begins: bool
    ends: bool
    """Whether the block ends at `stop`."""
    closed: bool
    """For a closed block, `stop` precedes the final `>`."""
    start: int = 0
    """The `<` of the opening tag."""
    end: int = 0
    """The end of the opening tag's name."""
    data: Mapping[str, object] = NO_DATA
    head: int = 0
    """The end of the opening tag; 0 if it is in an earlier section, -1 if it has not ended."""
    stop: int = 0


def _blocks_in(section: Section) -> tuple[BlockPart, ...]:
    text, before = section.text, open_in(section.before)
    found, tokens = list[BlockPart](), section.tokens
    inside: list[Span] = []
    is_open, head = before is not None, -1 if before is None or before.mode == LIST else 0
    start = end = -1
    at = 0

    def finish(stop: int, *, ends: bool = True, closed: bool = False) -> None:
        data = {"tag": text[start + 1 : end]}
        found.append(BlockPart(text, (*inside,), start >= 0, ends, closed, start, end, data, head, stop))
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
        finish(at, ends=open_in(section.after) is None)
    return (*found,)


_remembered: Final[Query[Section, tuple[BlockPart, ...]]] = Query("blocks", _blocks_in)


def blocks_in(section: Section) -> tuple[BlockPart, ...]:
    """Return the parts of blocks in a section, in order. Most sections have none, and cache nothing."""
    return _remembered(section) if "<" in section.text or open_in(section.before) is not None else ()


def begun_in(section: Section) -> list[BlockPart]:
    """Return the blocks that begin in a section."""
    return [block for block in blocks_in(section) if block.begins]


def blank_blocks(section: Section) -> Iterator[Problem]:
    """Yield the blocks with only white space."""
    if not _BLANK.search(section.text):
        return
    for block in begun_in(section):
        text = block.text
        if block.closed and block.inside and all(text[start:end].isspace() for _, start, end in block.inside):
            yield Problem(BLANK_BLOCK, block.start, block.end, block.data)
