"""Signature help."""

from __future__ import annotations

from llmblocks.contract.caret import Signature
from llmblocks.features.completion import caret_of
from llmblocks.languages.ask import Ask


def signature(ask: Ask) -> Signature | None:
    """Return the parameters of the call at a position; None without a call whose parameters are known."""
    caret, kind = caret_of(ask)
    if caret is None or kind in ask.language.comments:
        return None
    for layer in ask.language.loaded:
        found = layer.signature(caret, ask.settings) if layer.signature is not None else None
        if found is not None or (layer.owns is not None and layer.owns(caret)):
            return found
    return None
