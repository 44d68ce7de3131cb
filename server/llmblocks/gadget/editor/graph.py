"""The graph of the calls of a document, which may wait for calls of earlier files of its session."""

from __future__ import annotations

from collections.abc import Callable
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Final

from llmblocks.contract.call_graph import CallGraph, GraphFormat
from llmblocks.core.index import Index
from llmblocks.gadget.editor.dependencies import is_earlier
from llmblocks.gadget.editor.fates import PlacedCall, calls_of
from llmblocks.gadget.graph.build import Graph, build_graph
from llmblocks.gadget.graph.svg import to_svg
from llmblocks.gadget.graph.text import NAMED_ALONE, to_dot, to_mermaid, to_text

if TYPE_CHECKING:
    from llmblocks.gadget.editor.settings import GadgetSettings

_WRITERS: Final[dict[GraphFormat, Callable[[Graph], str]]] = {
    "text": to_text,
    "mermaid": to_mermaid,
    "dot": to_dot,
    "svg": to_svg,
}


def graph_of(index: Index, settings: GadgetSettings, pause: Callable[[int], None]) -> CallGraph:
    """See `GraphOf`. Each message of a chat is a separate response."""
    places: list[int] = []
    found: list[tuple[int, PlacedCall]] = []
    for part, at, call in calls_of(index, settings):
        places.append(at)
        found.append((part, call))
        pause(at)
    responses = [[call for _, call in calls] for _, calls in groupby(found, itemgetter(0))]
    graph = build_graph(responses, lambda one: is_earlier(index, one))
    all_run = all(node.wave for node in graph.nodes if node.kind not in NAMED_ALONE)
    return CallGraph((*places,), not graph.nodes, all_run, lambda kind: _WRITERS[kind](graph))
