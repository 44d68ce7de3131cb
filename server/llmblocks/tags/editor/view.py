"""The blocks of a section, with the places of their parts."""

from __future__ import annotations

from typing import NamedTuple

from llmblocks.core.query import Query
from llmblocks.core.scan import Kind
from llmblocks.core.section import Section, Span
from llmblocks.tags.editor import kinds
from llmblocks.tags.editor.scanner import LIST, open_in
from llmblocks.tags.syntax.attributes import parse_attributes

LISTED = frozenset((kinds.GAP, kinds.ATTRIBUTE, kinds.EQUALS, kinds.QUOTE, kinds.VALUE))


class AttributeView(NamedTuple):
    """An attribute of an opening tag.

    Shape: `start` to `name_end` is its name; `value` to `value_end` its value without quotes, both `name_end` where
           there is no `=`; `end` is after the closing quote. `quote` is `"`, `'` or empty, `closed` says that the
           quote has its partner.
    """

    name: str
    start: int
    name_end: int
    value: int
    value_end: int
    end: int
    quote: str
    closed: bool


class TagView(NamedTuple):
    """An opening tag and its block. Places are code points from the start of the section.

    Shape: `start` is where its `<` is, `name` to `name_end` its name, `bracket` where its `>` or `/>` is and `end`
           after that, both the end of the list where there is none. The content is from `end` to `content_end`; a
           closing tag goes on from there to `block_end`. `ended` says that the tag has its `>`, `closed` that the
           block is complete. `values` is what the runtime makes of the list.
    """

    start: int
    name: int
    name_end: int
    bracket: int
    end: int
    content_end: int
    block_end: int
    tag: str
    ended: bool
    self_closing: bool
    closed: bool
    attributes: tuple[AttributeView, ...]
    values: dict[str, str]
    gap: tuple[int, int]
    """The place of what stands before the `>` and belongs to no attribute; empty where nothing does."""


def open_tag(state: object) -> str:
    """The name of the block that is open in a scanner's state, be it layered or not; empty outside blocks."""
    found = open_in(state)
    return found.tag if found is not None and found.mode != LIST else ""


def _tags(section: Section) -> tuple[TagView, ...]:
    if all(token.kind is not kinds.OPENING for token in section.tokens):
        return ()
    found: list[TagView] = []
    reader: _Reader | None = None
    text = section.text
    for span in section.spans():
        if span.kind is kinds.OPENING:
            if reader:
                found.append(reader.tag(text))
            reader = _Reader(span.start)
        elif reader and reader.take(span):
            found.append(reader.tag(text))
            reader = None
    if reader:
        found.append(reader.tag(text))
    return tuple(found)


tags: Query[Section, tuple[TagView, ...]] = Query("tags", _tags)
"""The opening tags of a section. A block that another format's tokens interrupt goes on behind them."""


class _Reader:
    """Collects the tokens of one block."""

    def __init__(self, start: int) -> None:
        self.start = start
        self.named: tuple[int, int] | None = None
        self.bracket: Span | None = None
        self.listed: list[Span] = []
        self.content_end = -1
        self.at = start + 1
        self.closed = False

    def take(self, span: Span) -> bool:
        """Take a token; say whether the block ends with it."""
        kind = span.kind
        if kind in (kinds.OPENED, kinds.SELF_CLOSED):
            self.bracket = span
        elif kind in LISTED:
            if kind.merges and self.listed and self.listed[-1].kind is kind and self.listed[-1].end == span.start:
                # cut by a piece
                span = self.listed.pop()._replace(end=span.end)
            self.listed.append(span)
        elif kind is kinds.NAME:
            self.named = self.named or (span.start, span.end)
        elif kind is kinds.CLOSING:
            self.content_end = span.start
        elif kind not in (kinds.CONTENT, kinds.CLOSED):
            return False
        self.at = span.end
        self.closed = kind in (kinds.CLOSED, kinds.SELF_CLOSED)
        return self.closed

    def tag(self, text: str) -> TagView:
        name, name_end = self.named or (self.at, self.at)
        list_end = self.listed[-1].end if self.listed else name_end
        bracket, end = (self.bracket.start, self.bracket.end) if self.bracket else (list_end, list_end)
        last = self.listed[-1] if self.listed else None
        return TagView(
            start=self.start,
            name=name,
            name_end=name_end,
            bracket=bracket,
            end=end,
            content_end=max(self.content_end, end) if self.closed else max(self.at, end),
            block_end=max(self.at, end),
            tag=text[name:name_end],
            ended=self.bracket is not None,
            self_closing=self.bracket is not None and self.bracket.kind is kinds.SELF_CLOSED,
            closed=self.closed,
            attributes=_attributes(text, self.listed),
            values=parse_attributes("".join([text[span.start : span.end] for span in self.listed])),
            gap=(last.start, last.end) if last and last.kind is kinds.GAP else (bracket, bracket),
        )


def _attributes(text: str, listed: list[Span]) -> tuple[AttributeView, ...]:
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
