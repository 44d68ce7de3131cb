"""The blocks of a section, with the places of their parts."""

from __future__ import annotations

from bisect import bisect_right
from operator import attrgetter
from typing import Final, NamedTuple

from llmblocks.core.query import Query
from llmblocks.core.section import Section, Span
from llmblocks.tags import kinds
from llmblocks.tags.scanner import LIST, open_in
from llmblocks.tags.syntax import ATTRIBUTE, parse_attributes

LISTED: Final = frozenset((kinds.GAP, kinds.ATTRIBUTE, kinds.EQUALS, kinds.QUOTE, kinds.VALUE))
"""The kinds of an attribute list."""
_OF_TAGS = LISTED | kinds.BRACKETS | {kinds.NAME}


class AttributeView(NamedTuple):
    """An attribute of an opening tag; `start` and `end` include its quotes, of which the second one may be missing."""

    name: str
    start: int
    name_end: int
    value: int
    """The start of its value without quotes; `value_end` is the end. Both equal `name_end` without a `=`."""
    value_end: int
    end: int
    quote: str
    closed: bool


class TagBlock(NamedTuple):
    """A block, or its part in a section with this text: a block with a call inside has several."""

    text: str
    begins: bool
    """Whether its opening tag begins in the section; otherwise `start` and `name_end` are -1."""
    ends: bool
    start: int
    name_end: int
    listed: tuple[Span, ...]
    ended: bool
    """Whether the opening tag has its `>`, here or in an earlier section."""
    end: int
    """The end of the opening tag, where the content begins; 0 if that is in an earlier section."""
    inside: tuple[Span, ...]
    """The tokens of its content, also those of other formats."""
    block_end: int
    """The end of the block, or of its last token here."""
    self_closing: bool
    has_closing_tag: bool

    @property
    def tag(self) -> str:
        """The name of the tag."""
        return self.text[self.start + 1 : self.name_end]

    @property
    def closed(self) -> bool:
        """Whether the block is complete."""
        return self.has_closing_tag or self.self_closing

    @property
    def content_end(self) -> int:
        """The end of the content, where a closing tag begins, if there is one."""
        return self.text.rindex("</", 0, self.block_end) if self.has_closing_tag else self.block_end

    @property
    def bracket(self) -> int:
        """The `>` or `/>` of the opening tag, or the end of the list without one."""
        return self.end - (2 if self.self_closing else 1) if self.ended else self.end

    @property
    def content(self) -> str | None:
        """The content; None if another format interrupts it."""
        is_whole = all(span.kind is kinds.CONTENT for span in self.inside)
        return self.text[self.end : self.content_end] if is_whole else None

    @property
    def attributes(self) -> tuple[AttributeView, ...]:
        """The attributes with their places, with repeats."""
        found: list[AttributeView] = []
        for each in ATTRIBUTE.finditer(self.text, self.name_end, self.bracket):
            (start, name_end), sort = each.span(1), each.lastindex or 1
            value, value_end = each.span(sort) if sort > 1 else (name_end, name_end)
            quote = {2: '"', 3: "'"}.get(sort, "")
            closed = not quote or each.end() > value_end
            found.append(AttributeView(each[1], start, name_end, value, value_end, each.end(), quote, closed))
        return tuple(found)

    @property
    def values(self) -> dict[str, str]:
        """The attributes as the runtime reads them."""
        return parse_attributes("".join([self.text[span.start : span.end] for span in self.listed]))


def open_tag(state: object) -> str:
    """Return the name of the open block in a scanner's state, layered or not; empty outside blocks."""
    found = open_in(state)
    return found.tag if found is not None and found.mode != LIST else ""


def _blocks_in(section: Section) -> tuple[TagBlock, ...]:
    is_open = open_in(section.before) is not None
    parts: list[list[Span]] = [[]] if is_open else []
    for span in section.spans():
        if span.kind in (kinds.OPENING, kinds.TEXT):
            is_open = span.kind is kinds.OPENING
            parts += [[]] if is_open else []
        if is_open:
            parts[-1].append(span)
        is_open = is_open and span.kind not in (kinds.CLOSED, kinds.SELF_CLOSED)
    ends = not is_open or open_in(section.after) is None
    return (*[_block(section, part, ends=ends or part is not parts[-1]) for part in parts],)


def _block(section: Section, spans: list[Span], *, ends: bool) -> TagBlock:
    """Make the part of a block with these tokens."""
    begins = bool(spans) and spans[0].kind is kinds.OPENING
    # the tokens of the bracket and of the name are neighbours
    start, name_end = (spans[0].start, spans[1].end) if begins else (-1, -1)
    listed = (*[span for span in spans if span.kind in LISTED],)
    opened = next((span for span in spans if span.kind in (kinds.OPENED, kinds.SELF_CLOSED)), None)
    ended = opened is not None or (not begins and bool(open_tag(section.before)))
    end = opened.end if opened else listed[-1].end if listed else max(name_end, 0)
    content = [span for span in spans if span.kind not in _OF_TAGS and span.end > span.start]
    inside = (*[span for span in content if ended and span.start >= end],)
    block_end = max([span.end for span in spans if span.kind in _OF_TAGS or span.kind is kinds.CONTENT], default=0)
    last = spans[-1].kind if spans else None
    closed, closing = last is kinds.SELF_CLOSED, last is kinds.CLOSED
    return TagBlock(section.text, begins, ends, start, name_end, listed, ended, end, inside, block_end, closed, closing)


_remembered: Final[Query[Section, tuple[TagBlock, ...]]] = Query("blocks", _blocks_in)


def blocks_in(section: Section) -> tuple[TagBlock, ...]:
    """Return the parts of blocks in a section, in order. Most sections have none, and cache nothing."""
    return _remembered(section) if "<" in section.text or open_in(section.before) is not None else ()


def begun_in(section: Section) -> list[TagBlock]:
    """Return the blocks that begin in a section."""
    return [block for block in blocks_in(section) if block.begins]


def tag_near(section: Section, offset: int) -> TagBlock | None:
    """Return the block at an offset in one of its tags or in its content; None outside of blocks."""
    blocks = blocks_in(section)
    number = bisect_right(blocks, offset, key=attrgetter("start")) - 1
    return blocks[number] if number >= 0 and blocks[number].begins and offset < blocks[number].block_end else None
