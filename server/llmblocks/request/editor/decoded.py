"""The messages of a request, as an agent reads them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from llmblocks.contract.decoded import Decoded, DecodedValue
from llmblocks.request.reading.stream import read_messages

if TYPE_CHECKING:
    from llmblocks.request.editor.settings import RequestSettings


def decoded(text: str, _: RequestSettings) -> Decoded:
    """Each message, and after one of the assistant its text, in which calls and blocks are."""
    found: Decoded = []
    for message in read_messages(text):
        if message.role == "assistant":
            found += [DecodedValue(repr(message.role)), message.text]
        else:
            found.append(DecodedValue(repr(message)))
    return found
