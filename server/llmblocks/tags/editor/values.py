"""The values of custom blocks: their stream, for the features, and their style."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Any, Final

from llmblocks.contract.decoded import Decoded, DecodedValue, gaps
from llmblocks.contract.streaming import Event, Held, Streaming, TerminalEvent, plain
from llmblocks.core.edits import Edit
from llmblocks.core.section import Span
from llmblocks.tags import kinds
from llmblocks.tags.deltas import CustomBlock, CustomBlockDelta, CustomBlockEnd, CustomBlockStart, TextDelta
from llmblocks.tags.stream import TagHandler, TagStream
from llmblocks.tags.syntax import TagSettings, is_name


class _Blocks(TagStream):
    close = TagStream.flush


def _event(event: Any) -> Event:
    item = _item(event)
    return plain(event) if item is None else {"event": "CustomBlock", **item}


def _item(event: Any) -> Event | None:
    if not isinstance(event, CustomBlock):
        return None
    block = {"type": "block", "tag": event.tag, "attributes": event.attrs}
    return {**block, "content": event.content, "selfClosing": event.self_closing}


def _why(held: Held, settings: TagSettings) -> str:
    name = held.begin.lstrip("<").split(maxsplit=1)[0] if held.begin.strip("< \t\r\n") else ""
    return f"the tag <{name}> is not complete" if name in settings.tags else "it may become a tag"


def _shown(event: Any) -> TerminalEvent | None:
    if isinstance(event, CustomBlockDelta):
        return TerminalEvent(event.delta, "cyan")
    if isinstance(event, CustomBlockStart | CustomBlockEnd):
        slash = "/" if isinstance(event, CustomBlockEnd) else ""
        return TerminalEvent(f"<{slash}{event.tag}>", "bold magenta", own_line=True)
    return None


def decoded(text: str, settings: TagSettings) -> Decoded:
    """Return each block, and the text outside of blocks."""
    stream = TagStream({name: TagHandler() for name in settings.tags if is_name(name)})
    texts: list[str] = []
    values: Decoded = []
    before = 0
    for delta in [*stream.process(TextDelta(text)), *stream.flush()]:
        if isinstance(delta, TextDelta):
            texts.append(delta.delta)
            before += len(delta.delta)
        elif isinstance(delta, CustomBlock):
            head = repr((delta.tag, delta.self_closing))
            values.append(DecodedValue(head, (*sorted(delta.attrs.items()),), before=before, content=delta.content))
    return [*values, "".join(texts)]


STREAMING: Final[Streaming[TagSettings]] = Streaming(
    open=lambda settings: _Blocks({name: TagHandler() for name in settings.tags}),
    free=lambda event: event.delta if isinstance(event, TextDelta) else None,
    event=_event,
    item=_item,
    why=_why,
    shown=_shown,
)


def edits(text: str, spans: Iterable[Span], _: object) -> Iterator[Edit]:
    """Yield one space between attributes, none before `>`, one blank line between blocks on separate lines."""
    marks: list[tuple[int, bool]] = []
    listed: list[Edit] = []
    begun = 0
    for (kind, start, end), after in pairwise([*spans, Span(kinds.TEXT, len(text), len(text))]):
        if kind is kinds.GAP and text[start:end].isspace():
            listed.append(Edit(start, end, "" if after.kind is kinds.OPENED else " "))
        elif kind is kinds.OPENING:
            begun = start
        elif kind in (kinds.OPENED, kinds.SELF_CLOSED):
            # a tag without an end is text
            yield from listed
            listed.clear()
            marks.append((begun, True))
        if kind in (kinds.CLOSED, kinds.SELF_CLOSED):
            marks.append((end, False))
    yield from gaps(text, marks, least="\n")


keeps: Final = None
"""No text must be read again: each edit is white space in a tag with an end, or between blocks."""
