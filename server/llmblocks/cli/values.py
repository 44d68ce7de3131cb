"""Calls, blocks and text as plain JSON values."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Any

from llmblocks.compose import GadgetTransform
from llmblocks.gadget import CallEnded, GadgetCall
from llmblocks.settings.values import Settings
from llmblocks.tags import CustomBlock, TagHandler, TagStream, TextDelta


def items(text: str, settings: Settings, *, calls: bool) -> Iterator[dict[str, Any]]:
    """What is in a text, in order: text, custom blocks, and gadget calls if there can be some."""
    tags = TagStream({name: TagHandler() for name in settings.tags})
    deltas: list[Any] = [TextDelta(text)]
    if calls:
        gadgets = GadgetTransform(settings.markers)
        deltas = [*gadgets.process(TextDelta(text)), *gadgets.flush()]
    free = ""
    for delta in (*chain.from_iterable(map(tags.process, deltas)), *tags.flush()):
        if isinstance(delta, TextDelta):
            free += delta.delta
        elif isinstance(delta, CallEnded | CustomBlock):
            if free:
                yield {"type": "text", "text": free}
                free = ""
            yield call_as_json(delta.call) if isinstance(delta, CallEnded) else block_as_json(delta)
    if free:
        yield {"type": "text", "text": free}


def call_as_json(call: GadgetCall) -> dict[str, Any]:
    """A call. Shape: `parameters` is null, and `error` the runtime's message, if the call was rejected."""
    return {
        "type": "call",
        "name": call.name,
        "id": call.invocation_id,
        "dependencies": list(call.dependencies),
        "parameters": call.parameters,
        "error": call.error,
        "errorKind": call.error_kind,
    }


def block_as_json(block: CustomBlock) -> dict[str, Any]:
    """A custom block."""
    return {
        "type": "block",
        "tag": block.tag,
        "attributes": block.attrs,
        "content": block.content,
        "selfClosing": block.self_closing,
    }
