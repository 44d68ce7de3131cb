"""The calls of a session as a graph."""

from __future__ import annotations

import os

from llmblocks.gadget.graph.build import Graph, GraphNode, build_graph
from llmblocks.sessions import Session


def graph_of(session: Session) -> Graph:
    """Return the graph of the calls, with their outcomes."""
    calls = [*session.calls]

    def known(node: GraphNode) -> GraphNode:
        if node.number < 0:
            return node
        call = calls[node.number]
        outcome = call.outcome
        if outcome == "called" or outcome == "returned" or outcome == "no result":
            return node._replace(kind="runs", says=f"wave {call.wave}")
        return node._replace(kind=outcome, says=f"{outcome}: {call.why}")

    graph = build_graph([response.calls for response in session.responses])
    titles = tuple([os.path.basename(response.file) for response in session.responses])
    return Graph(tuple(map(known, graph.nodes)), graph.edges, titles)
