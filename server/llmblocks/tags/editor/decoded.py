"""The custom blocks of a text, as the runtime decodes them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from llmblocks.contract.decoded import Decoded, DecodedValue
from llmblocks.tags.deltas import CustomBlock, TextDelta
from llmblocks.tags.stream import TagHandler, TagStream
from llmblocks.tags.syntax import is_name

if TYPE_CHECKING:
    from llmblocks.tags.editor.settings import TagSettings


def decoded(text: str, settings: TagSettings) -> Decoded:
    """Return each block, and the text outside of blocks."""
    if "<" not in text:
        return [text]
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
