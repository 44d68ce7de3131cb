"""The messages of a text, as the runtime decodes them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from llmblocks.contract.decoded import Decoded, DecodedValue, InnerText
from llmblocks.stf.editor.roles import formats_in
from llmblocks.stf.stream import decode

if TYPE_CHECKING:
    from llmblocks.stf.editor.settings import StfSettings
    from llmblocks.stf.values.messages import Message


def decoded(text: str, settings: StfSettings) -> Decoded:
    """Return the metadata, then each message, followed by its text."""
    transcript = decode(text, dialect=settings.dialect, default_role=settings.default_role or None)
    found: Decoded = [DecodedValue(repr((transcript.has_metadata, transcript.metadata)))]
    for message in transcript.messages:
        found += [_value(message), InnerText(message.text, formats_in(message.role, settings))]
    return found


def _value(message: Message) -> DecodedValue:
    rest = message.as_dict()
    if isinstance(message.content, str):
        del rest["content"]
    else:
        # the inner formats also read the text between resources
        rest["content"] = [part | {"text": ""} if part.get("type") == "text" else part for part in rest["content"]]
    return DecodedValue(repr(rest), message=message.text)
