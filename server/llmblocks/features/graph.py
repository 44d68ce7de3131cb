"""The graph of the calls of a document: which call waits for which."""

from __future__ import annotations

from llmblocks.contract.answers import NO_CALLS, CallGraph
from llmblocks.features.values import Pause
from llmblocks.languages.ask import Ask


def graph_of(ask: Ask, pause: Pause = lambda *_: None) -> CallGraph:
    """Return the graph of the calls of a document, which may wait for calls of earlier files of its session."""
    total = len(ask.document)
    for layer in ask.language.loaded:
        if layer.graph is not None:
            return layer.graph()(ask.index(), ask.settings, lambda at: pause(at, total))
    return NO_CALLS
