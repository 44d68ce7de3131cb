"""The tasks of a text, which a fix must keep."""

from __future__ import annotations

from llmblocks.contract.decoded import Decoded, DecodedValue

from .streaming import TodoStream


def decoded(text: str, _: object) -> Decoded:
    """Return each list and each task, and the text outside of them."""
    stream = TodoStream()
    free = ""
    values: Decoded = []
    for event in [*stream.feed(text), *stream.close()]:
        if isinstance(event, str):
            free += event
        else:
            values.append(DecodedValue(repr(event), before=len(free)))
    return [*values, free]
