"""The calls of a text, as the runtime decodes them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from llmblocks.contract.decoded import Decoded, DecodedValue
from llmblocks.gadget.reading.call import values_by_pointer
from llmblocks.gadget.reading.events import CallEnded, Text
from llmblocks.gadget.reading.stream import GadgetStream

if TYPE_CHECKING:
    from llmblocks.gadget.editor.settings import GadgetSettings


def decoded(text: str, settings: GadgetSettings) -> Decoded:
    """Each call with its arguments, and the text outside of calls."""
    if settings.markers.start not in text:
        return [text]
    stream = GadgetStream(settings.markers)
    texts: list[str] = []
    values: Decoded = []
    before = 0
    for event in [*stream.feed(text), *stream.close()]:
        if isinstance(event, Text):
            texts.append(event.text)
            before += len(event.text)
        elif isinstance(event, CallEnded):
            call = event.call
            head = repr((call.name, call.invocation_id, call.dependencies))
            accepted = call.parameters is not None
            values.append(
                DecodedValue(head, values_by_pointer(call), accepted, before, name=call.name, body=call.parameters_raw)
            )
    return [*values, "".join(texts)]
