"""Calls, blocks, messages and text as plain JSON values."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import TYPE_CHECKING, Any

from llmblocks.compose import GadgetTransform
from llmblocks.gadget import CallEnded, GadgetCall
from llmblocks.tags import CustomBlock, TagHandler, TagStream, TextDelta

if TYPE_CHECKING:
    from llmblocks.settings.values import Settings

Pause = Callable[[int, int], None]
"""Called now and then while something long is read, with what is done and how much there is; it may raise."""
_PART = 1 << 16


def go_on(done: int, total: int) -> None:
    """No pause."""


def in_parts(text: str, pause: Pause) -> Iterator[str]:
    """A text in parts, with a pause after each."""
    for start in range(0, len(text), _PART):
        yield text[start : start + _PART]
        pause(min(start + _PART, len(text)), len(text))


def values(text: str, language_id: str, settings: Settings, pause: Pause = go_on) -> dict[str, Any]:
    """What a program reads in a text: the messages of a chat, or the items of any other text."""
    if language_id == "stf":
        from llmblocks.stf import decode

        return decode(text, dialect=settings.dialect, default_role=settings.default_role or None).as_dict()
    return {"items": [*items(in_parts(text, pause), settings, calls=language_id == "gadget")]}


def items(parts: Iterable[str], settings: Settings, *, calls: bool) -> Iterator[dict[str, Any]]:
    """The content of a text, in order: text, custom blocks, and gadget calls if the language has them."""
    tags = TagStream({name: TagHandler() for name in settings.tags})
    deltas: Iterable[Any] = map(TextDelta, parts)
    if calls:
        deltas = _with_calls(deltas, GadgetTransform(settings.markers))
    free: list[str] = []
    for delta in chain(chain.from_iterable(map(tags.process, deltas)), _flushed(tags)):
        if isinstance(delta, TextDelta):
            free.append(delta.delta)
        elif isinstance(delta, CallEnded | CustomBlock):
            if any(free):
                yield {"type": "text", "text": "".join(free)}
            free.clear()
            yield call_as_json(delta.call) if isinstance(delta, CallEnded) else block_as_json(delta)
    if any(free):
        yield {"type": "text", "text": "".join(free)}


def _with_calls(deltas: Iterable[Any], gadgets: GadgetTransform) -> Iterator[Any]:
    for delta in deltas:
        yield from gadgets.process(delta)
    yield from gadgets.flush()


def _flushed(tags: TagStream) -> Iterator[Any]:
    # not before all of the text has been read
    yield from tags.flush()


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
