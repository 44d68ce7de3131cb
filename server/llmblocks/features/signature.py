"""Signature help."""

from __future__ import annotations

from llmblocks.core.caret import Signature
from llmblocks.features.completion import caret_of
from llmblocks.languages.ask import Ask


def signature(ask: Ask) -> Signature | None:
    """What the call takes that is written at a position; None without a call whose parameters are known."""
    caret, commented = caret_of(ask)
    if caret is None or commented:
        return None
    found = (layer.signature(caret, ask.settings) for layer in ask.language.loaded if layer.signature is not None)
    return next((each for each in found if each is not None), None)
