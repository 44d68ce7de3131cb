"""The graph of the calls in a document: which waits for which."""

from __future__ import annotations

from llmblocks.core.call_graph import CallGraph
from llmblocks.features.values import Pause, go_on
from llmblocks.languages.ask import Ask


def graph_of(ask: Ask, pause: Pause = go_on) -> CallGraph | None:
    """The graph of the calls in a document, which may wait for calls of earlier files of its session.

    Shape: None if the formats of its language have no calls.
    """
    total = len(ask.document)
    for layer in ask.language.loaded:
        if layer.graph is not None:
            return layer.graph()(ask.index(), ask.settings, lambda at: pause(at, total))
    return None
