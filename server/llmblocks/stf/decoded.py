"""The messages of a text, as the runtime decodes them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from llmblocks.core.decoded import Decoded, Value
from llmblocks.stf.reading.decoder import decode

if TYPE_CHECKING:
    from llmblocks.stf.editor.layer import StfSettings
    from llmblocks.stf.values.messages import Message


def decoded(text: str, settings: StfSettings) -> Decoded:
    """The metadata, then each message and behind it its text."""
    transcript = decode(text, dialect=settings.dialect, default_role=settings.default_role or None)
    found: Decoded = [Value(repr((transcript.has_metadata, transcript.metadata)))]
    for message in transcript.messages:
        found += [_value(message), message.text]
    return found


def _value(message: Message) -> Value:
    told = message.as_dict()
    if isinstance(message.content, str):
        del told["content"]
    return Value(repr(told), message=message.text)
