"""The stream of custom blocks, for the features, and the values that it decodes."""

from __future__ import annotations

from typing import Any, Final

from llmblocks.contract.decoded import Decoded, DecodedValue
from llmblocks.contract.streaming import Event, Held, Streaming, TerminalEvent, plain
from llmblocks.tags.declared import TagSettings
from llmblocks.tags.deltas import CustomBlock, CustomBlockDelta, CustomBlockEnd, CustomBlockStart, TextDelta
from llmblocks.tags.stream import TagHandler, TagStream
from llmblocks.tags.syntax import is_name


class _Blocks(TagStream):
    close = TagStream.flush


def _event(event: Any) -> Event:
    item = _item(event)
    return plain(event) if item is None else {"event": "CustomBlock", **item}


def _item(event: Any) -> Event | None:
    if not isinstance(event, CustomBlock):
        return None
    return {
        "type": "block",
        "tag": event.tag,
        "attributes": event.attrs,
        "content": event.content,
        "selfClosing": event.self_closing,
    }


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
