"""A session as JSON values, and its calls as a graph."""

from __future__ import annotations

import os
from typing import Any

from llmblocks.gadget.graph import Graph, GraphNode, build_graph
from llmblocks.sessions import Session, SessionCall
from llmblocks.sessions.words import unread


def as_json(session: Session) -> dict[str, Any]:
    """Return a session as JSON values."""
    responses = [
        {
            "number": response.number,
            "file": response.file,
            "request": response.request,
            "reasoning": response.reasoning,
            "text": response.said,
            "calls": [_call_as_json(call) for call in response.calls],
        }
        for response in session.responses
    ]
    started = {agent.folder for call in session.calls for agent in call.agents}
    others = [as_json(agent) for agent in session.agents if agent.folder not in started]
    return {
        "folder": session.folder,
        "missing": [*session.missing],
        "problem": unread(session) or None,
        "responses": responses,
        "agents": others,
    }


def _call_as_json(call: SessionCall) -> dict[str, Any]:
    result, repeats = call.result, call.repeats
    media = [] if result is None else [{"id": each.id, "kind": each.kind, "path": each.path} for each in result.media]
    return {
        "name": call.name,
        "id": call.invocation_id,
        "dependencies": [*call.dependencies],
        "parameters": call.parameters,
        "wave": call.wave,
        "outcome": call.outcome,
        "why": call.why,
        "result": None if result is None else {"file": result.file, "text": result.text, "media": media},
        "usedBy": [other.invocation_id for other in call.used_by],
        "repeats": None if repeats is None else {"file": repeats.response.file, "id": repeats.invocation_id},
        "agents": [as_json(agent) for agent in call.agents],
    }


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
