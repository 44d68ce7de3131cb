"""The parameters of the call at a position, as its gadget receives them."""

from __future__ import annotations

from llmblocks.contract.answers import ReceivedCall
from llmblocks.languages.ask import Ask


def received(ask: Ask) -> ReceivedCall | None:
    """Return the call at a position, or the one that begins on its line; None without one."""
    document = ask.document
    line, _ = document.position(ask.position)
    ends = document.line_start(line + 1) - 1 if line < document.newlines else len(document)
    return _received(ask, ask.position) or _received(ask, ends)


def _received(ask: Ask, offset: int) -> ReceivedCall | None:
    found = [layer.received() for layer in ask.language.loaded if layer.received is not None]
    for placed in ask.document.backward(offset):
        for received_at in found:
            call = received_at(placed.section, offset - placed.start, ask.settings)
            if call is not None:
                return call
        # between two sections, the text before the position belongs to the first
        if placed.start != offset:
            break
    return None
