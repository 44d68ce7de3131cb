"""The calls of a session as a graph."""

from __future__ import annotations

import os
from typing import Final

from llmblocks.gadget.graph.build import Graph, GraphNode, NodeKind, build_graph
from llmblocks.sessions import Outcome, Session
from llmblocks.sessions.words import said

_KINDS: Final[dict[Outcome, NodeKind]] = {
    "failed": "rejected",
    "rejected": "rejected",
    "skipped": "skipped",
    "never": "never",
}
"""How a graph shows the calls that have stopped."""


def graph_of(session: Session) -> Graph:
    """The graph of the calls, with what became of each."""
    calls = [*session.calls]

    def known(node: GraphNode) -> GraphNode:
        if node.number < 0:
            return node
        call = calls[node.number]
        kind = _KINDS.get(call.outcome)
        if kind is None:
            return node._replace(kind="runs", says=f"wave {call.wave}")
        return node._replace(kind=kind, says=f"{said(call.outcome)}: {call.why}")

    graph = build_graph([response.calls for response in session.responses])
    titles = tuple([os.path.basename(response.file) for response in session.responses])
    return Graph(tuple(map(known, graph.nodes)), graph.edges, titles)
