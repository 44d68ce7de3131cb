"""The blocks of a section, with the places of their parts."""

from __future__ import annotations

from typing import Final, NamedTuple

from llmblocks.core.layered import state_in
from llmblocks.core.query import Query
from llmblocks.core.scan import Kind
from llmblocks.core.section import Section, Span
from llmblocks.tags import kinds
from llmblocks.tags.scanner import LIST, TagState, open_in
from llmblocks.tags.syntax import parse_attributes

LISTED: Final = frozenset((kinds.GAP, kinds.ATTRIBUTE, kinds.EQUALS, kinds.QUOTE, kinds.VALUE))
"""The kinds of an attribute list."""
_OF_TAGS = frozenset((kinds.CLOSING, kinds.NAME))


class AttributeView(NamedTuple):
    """An attribute of an opening tag."""

    name: str
    start: int
    """The start of its name; `name_end` is the end."""
    name_end: int
    value: int
    """The start of its value without quotes; `value_end` is the end. Both equal `name_end` without a `=`."""
    value_end: int
    end: int
    """The end after the closing quote."""
    quote: str
    """`"`, `'` or empty."""
    closed: bool
    """Whether the quote has its partner."""


class TagBlock(NamedTuple):
    """A block, or its part in a section: a block with a call inside has several. Places are those of the section."""

    text: str
    """The text of the section."""
    begins: bool
    """Whether its opening tag begins in the section; otherwise `start`, `name_end` and `bracket` have no meaning."""
    ends: bool
    """Whether it ends in the section."""
    start: int
    """The `<` of the opening tag."""
    name_end: int
    """The end of its name."""
    listed: tuple[Span, ...]
    """The attribute list."""
    bracket: int
    """The `>` or `/>` of the opening tag, or the end of the list without one."""
    end: int
    """The end after `bracket`, where the content begins."""
    head: int
    """The end of the opening tag; 0 if it is in an earlier section, -1 if it has not ended."""
    inside: tuple[Span, ...]
    """The tokens of its content, also those of other formats."""
    content_end: int
    """The end of the content, where a closing tag begins, if there is one."""
    block_end: int
    """The end of the closing tag."""
    self_closing: bool
    has_closing_tag: bool
    stop: int
    """Where an open block ends; with a closing tag, before its final `>`."""

    @property
    def tag(self) -> str:
        """The name of the tag."""
        return self.text[self.start + 1 : self.name_end]

    @property
    def ended(self) -> bool:
        """Whether the tag has its `>`."""
        return self.head > 0

    @property
    def closed(self) -> bool:
        """Whether the block is complete."""
        return self.has_closing_tag or self.self_closing

    @property
    def attributes(self) -> tuple[AttributeView, ...]:
        """The attributes with their places, with repeats."""
        return _attributes(self.text, self.listed)

    @property
    def values(self) -> dict[str, str]:
        """The attributes as the runtime reads them."""
        return parse_attributes("".join([self.text[span.start : span.end] for span in self.listed]))

    @property
    def gap(self) -> tuple[int, int]:
        """The place of the text before the `>` that belongs to no attribute; empty without any."""
        last = self.listed[-1] if self.listed else None
        return last[1:] if last is not None and last.kind is kinds.GAP else (self.bracket, self.bracket)


def open_tag(state: object) -> str:
    """Return the name of the open block in a scanner's state, layered or not; empty outside blocks."""
    found = open_in(state)
    return found.tag if found is not None and found.mode != LIST else ""


def _blocks_in(section: Section) -> tuple[TagBlock, ...]:
    text, before = section.text, open_in(section.before)
    found: list[TagBlock] = []
    listed, inside = list[Span](), list[Span]()
    is_open, head = before is not None, -1 if before is None or before.mode == LIST else 0
    start = name_end = bracket = closing = -1
    last = 0

    def finish(kind: Kind | None, stop: int, *, ends: bool = True) -> None:
        opened = bracket if bracket >= 0 else listed[-1].end if listed else name_end
        end = max(head, opened)
        closed = kind is kinds.CLOSED or kind is kinds.SELF_CLOSED
        content_end = max(last, end) if not closed else max(closing, end)
        found.append(
            TagBlock(
                *(text, start >= 0, ends, start, name_end, (*listed,), opened, end, head, (*inside,), content_end),
                *(max(last, end), kind is kinds.SELF_CLOSED, kind is kinds.CLOSED, stop),
            )
        )
        listed.clear()
        inside.clear()

    for kind, at, end in section.spans():
        if is_open and (kind is kinds.OPENING or kind is kinds.TEXT):
            finish(None, at - 1)
            is_open = False
        if kind is kinds.OPENING:
            is_open, head, start, bracket, closing = True, -1, at, -1, -1
        elif not is_open:
            continue
        elif kind is kinds.NAME and name_end < start:
            name_end = end
        elif kind in LISTED:
            listed.append(Span(kind, at, end))
        elif kind is kinds.OPENED:
            head, bracket = end, at
        elif kind is kinds.CLOSED or kind is kinds.SELF_CLOSED:
            if kind is kinds.SELF_CLOSED:
                head, bracket = end, at
            last = end
            finish(kind, at)
            is_open = False
        elif kind is kinds.CLOSING:
            closing = at
        elif head >= 0 and kind not in _OF_TAGS and end > at:
            inside.append(Span(kind, at, end))
        if kind in kinds.BRACKETS or kind in LISTED or kind in (kinds.NAME, kinds.CONTENT):
            last = end
    if is_open:
        finish(None, section.length, ends=open_in(section.after) is None)
    return (*found,)


_remembered: Final[Query[Section, tuple[TagBlock, ...]]] = Query("blocks", _blocks_in)


def blocks_in(section: Section) -> tuple[TagBlock, ...]:
    """Return the parts of blocks in a section, in order. Most sections have none, and cache nothing."""
    return _remembered(section) if "<" in section.text or open_in(section.before) is not None else ()


def begun_in(section: Section) -> list[TagBlock]:
    """Return the blocks that begin in a section."""
    return [block for block in blocks_in(section) if block.begins]


def tag_near(section: Section, offset: int) -> TagBlock | None:
    """Return the block at an offset in one of its tags or in its content; None outside of blocks."""
    found = [tag for tag in begun_in(section) if tag.start <= offset < tag.block_end]
    return found[-1] if found else None


def reads_blocks(state: object) -> bool:
    """Return whether this scanner reads the text in a state. A format around it may exclude the text."""
    return state_in(state, TagState) is not None


def open_tag_at(section: Section, offset: int) -> str:
    """Return the name of the block whose content, including its end, contains an offset; empty outside of blocks."""
    tag = tag_near(section, offset)
    if tag is None:
        return ""
    return tag.tag if tag.ended and not tag.self_closing and tag.end <= offset <= tag.content_end else ""


def _attributes(text: str, listed: tuple[Span, ...]) -> tuple[AttributeView, ...]:
    found: list[AttributeView] = []
    before: Kind | None = None
    for kind, start, end in listed:
        if kind is kinds.ATTRIBUTE:
            found.append(AttributeView(text[start:end], start, end, end, end, end, "", True))
        elif found and kind is not kinds.GAP:
            one = found[-1]
            if kind is kinds.EQUALS:
                one = one._replace(value=end, value_end=end, end=end)
            elif kind is kinds.VALUE:
                one = one._replace(value=start, value_end=end, end=end)
            elif one.quote and not one.closed:
                one = one._replace(closed=True, end=end)
            elif before in (kinds.EQUALS, kinds.GAP):
                one = one._replace(quote=text[start:end], closed=False, value=end, value_end=end, end=end)
            found[-1] = one
        before = kind
    return tuple(found)
