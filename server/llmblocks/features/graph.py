"""The graph of the calls in a document: which waits for which."""

from __future__ import annotations

from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

from llmblocks.features.values import Pause, go_on
from llmblocks.gadget.editor.dependencies import is_earlier
from llmblocks.gadget.editor.fates import PlacedCall, calls_of
from llmblocks.gadget.graph.build import Graph, build_graph
from llmblocks.languages.ask import Ask


class DocumentGraph(NamedTuple):
    """The graph of a document. Shape: `places` are the offsets of its calls, in the document, by their numbers."""

    graph: Graph
    places: tuple[int, ...]


def graph_of(ask: Ask, pause: Pause = go_on) -> DocumentGraph:
    """The graph of the calls in a document, which may wait for calls of earlier files of its session.

    Shape: each message of a chat is a response of its own.
    """
    index = ask.index()
    total = len(ask.document)
    places: list[int] = []
    found: list[tuple[int, PlacedCall]] = []
    for part, at, call in calls_of(index, ask.settings):
        places.append(at)
        found.append((part, call))
        pause(at, total)
    responses = [[call for _, call in calls] for _, calls in groupby(found, itemgetter(0))]
    return DocumentGraph(build_graph(responses, lambda one: is_earlier(index, one)), (*places,))
