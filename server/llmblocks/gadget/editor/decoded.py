"""The calls of a text, as the runtime decodes them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from llmblocks.contract.decoded import Decoded, DecodedValue
from llmblocks.gadget.call import values_by_pointer
from llmblocks.gadget.stream import read_calls

if TYPE_CHECKING:
    from llmblocks.gadget.editor.settings import GadgetSettings


def decoded(text: str, settings: GadgetSettings) -> Decoded:
    """Return each call with its arguments, and the text outside of calls."""
    if settings.markers.start not in text:
        return [text]
    calls, places, free = read_calls(text, settings.markers)
    values: Decoded = [
        DecodedValue(
            repr((call.name, call.invocation_id, call.dependencies)),
            values_by_pointer(call),
            call.parameters is not None,
            before,
            name=call.name,
            body=call.parameters_raw,
        )
        for call, before in zip(calls, places, strict=True)
    ]
    return [*values, free]
