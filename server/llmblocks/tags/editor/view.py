"""The blocks of some lines, with the places of their parts."""

from __future__ import annotations

from typing import NamedTuple

from llmblocks.core.query import Query
from llmblocks.core.scan import Kind
from llmblocks.core.section import Section, Span
from llmblocks.tags import kinds
from llmblocks.tags.scanner import LIST, open_in
from llmblocks.tags.syntax.attributes import parse_attributes

LISTED = frozenset((kinds.GAP, kinds.ATTRIBUTE, kinds.EQUALS, kinds.QUOTE, kinds.VALUE))
_OURS = LISTED | kinds.BRACKETS | {kinds.NAME, kinds.CONTENT}
_ENDS = frozenset((kinds.CLOSED, kinds.SELF_CLOSED))


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


class TagView(NamedTuple):
    """An opening tag and its block. Places are code points from the start of the lines."""

    start: int
    """The place of its `<`."""
    name: int
    """The start of its name; `name_end` is the end."""
    name_end: int
    bracket: int
    """The place of its `>` or `/>`, or the end of the list without one."""
    end: int
    """The end after `bracket`, where the content begins."""
    content_end: int
    """The end of the content, where a closing tag begins, if there is one."""
    block_end: int
    """The end of the closing tag."""
    tag: str
    ended: bool
    """Whether the tag has its `>`."""
    self_closing: bool
    closed: bool
    """Whether the block is complete."""
    attributes: tuple[AttributeView, ...]
    values: dict[str, str]
    """The attributes as the runtime reads them."""
    gap: tuple[int, int]
    """The place of the text before the `>` that belongs to no attribute; empty without any."""


def open_tag(state: object) -> str:
    """Return the name of the open block in a scanner's state, layered or not; empty outside blocks."""
    found = open_in(state)
    return found.tag if found is not None and found.mode != LIST else ""


def _tags(lines: Section) -> tuple[TagView, ...]:
    blocks: list[list[Span]] = []
    is_open = False
    for span in lines.spans() if kinds.OPENING in lines.kinds else ():
        if span.kind is kinds.OPENING:
            blocks.append([])
            is_open = True
        if is_open and span.kind in _OURS:
            blocks[-1].append(span)
            is_open = span.kind not in _ENDS
    text = lines.text if blocks else ""
    return tuple([_tag(text, spans) for spans in blocks])


tags = Query("tags", _tags)
"""The opening tags of some lines. A block continues after the tokens of another format inside it."""


def _tag(text: str, spans: list[Span]) -> TagView:
    """Return the block with these tokens."""
    first = {span.kind: span for span in reversed(spans)}
    start, at, closed = spans[0].start, spans[-1].end, spans[-1].kind in _ENDS
    _, name, name_end = first.get(kinds.NAME) or Span(kinds.NAME, at, at)
    listed = [span for span in spans if span.kind in LISTED]
    last = listed[-1] if listed else Span(kinds.NAME, name, name_end)
    opened = first.get(kinds.OPENED) or first.get(kinds.SELF_CLOSED)
    _, bracket, end = opened or Span(kinds.OPENED, last.end, last.end)
    closing = first.get(kinds.CLOSING)
    return TagView(
        start=start,
        name=name,
        name_end=name_end,
        bracket=bracket,
        end=end,
        content_end=max(closing.start if closing else end, end) if closed else max(at, end),
        block_end=max(at, end),
        tag=text[name:name_end],
        ended=opened is not None,
        self_closing=opened is not None and opened.kind is kinds.SELF_CLOSED,
        closed=closed,
        attributes=_attributes(text, listed),
        values=parse_attributes("".join([text[span.start : span.end] for span in listed])),
        gap=(last.start, last.end) if last.kind is kinds.GAP else (bracket, bracket),
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
