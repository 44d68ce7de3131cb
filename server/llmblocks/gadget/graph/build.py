"""The graph of dependencies: which call waits for which."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, Protocol

from llmblocks.gadget.running.fates import Cause, Fate, Planned, fates
from llmblocks.gadget.running.planning import cycles

NodeKind = Literal["runs", "failed", "rejected", "skipped", "never ran", "unknown", "earlier"]
"""The kind of a node: a call by its fate, or an id without a call here: unknown, or of an earlier session file."""


class NamedCall(Planned, Protocol):
    """The attributes of a call that a graph shows. `error` is the runtime's error if it rejects the call, or empty."""

    @property
    def name(self) -> str: ...

    @property
    def error(self) -> str: ...


class GraphNode(NamedTuple):
    """A call."""

    key: str
    """Unique in the graph."""
    kind: NodeKind
    name: str
    invocation_id: str
    response: int
    number: int = -1
    """The index of the call among all; -1 for an id without a call."""
    wave: int = 0
    """Counts from 1; 0 if it does not run in this response."""
    says: str = ""
    """Its fate in a few words."""
    message: str = ""
    """The runtime's message."""


class GraphEdge(NamedTuple):
    """A dependency, by keys: `call` waits for `dependency`."""

    dependency: str
    call: str
    cycle: bool = False
    """Whether it is part of a cycle."""


@dataclass(frozen=True, slots=True)
class Graph:
    """The calls of some responses in order, and their dependencies."""

    nodes: tuple[GraphNode, ...]
    edges: tuple[GraphEdge, ...]
    titles: tuple[str, ...] = ()
    """The names of the responses."""

    def title(self, response: int) -> str:
        return self.titles[response] if self.titles else f"response {response + 1}"


def fates_in_order(responses: Iterable[Sequence[NamedCall]], is_earlier: Callable[[str], bool]) -> Iterator[list[Fate]]:
    """Yield the fates of the calls of each response, in order. See `build_graph`."""
    ran: set[str] = set()
    failed: dict[str, Cause] = {}
    for calls in responses:
        # not all that are known: a session would take quadratic time
        needed = {other for call in calls for other in call.dependencies}
        known = {one for one in needed if one in ran or (one not in failed and is_earlier(one))}
        lost = {one: failed[one] for one in needed if one in failed}
        found = fates(calls, [call.error for call in calls], known, lost)
        yield found
        for one, fate in zip([call.invocation_id for call in calls], found, strict=True):
            if fate.wave:
                ran.add(one)
            else:
                failed.setdefault(one, fate.lasting(one))


def build_graph(responses: Iterable[Sequence[NamedCall]], is_earlier: Callable[[str], bool] = lambda _: False) -> Graph:
    """Build the graph of the calls of a session.

    Args:
        responses: The calls of each message, in order.
        is_earlier: Whether an id belongs to a call that ran before all of them.
    """
    nodes: list[GraphNode] = []
    edges: list[GraphEdge] = []
    earlier: dict[str, str] = {}
    """The keys of the calls of earlier responses, by id."""
    responses, count = [*responses], 0
    for number, (calls, found) in enumerate(zip(responses, fates_in_order(responses, is_earlier), strict=True)):
        first = len(nodes)
        own: dict[str, str] = {}
        for call, fate in zip(calls, found, strict=True):
            one, key = call.invocation_id, f"r{number}c{len(nodes) - first}"
            said = fate.wave, fate.says, fate.message
            nodes.append(GraphNode(key, fate.kind, call.name, one, number, count, *said))
            own.setdefault(one, key)
            count += 1
        calls_and_keys = [*zip(calls, [node.key for node in nodes[first:]], strict=True)]
        stuck = {
            call.invocation_id: fate.dependencies
            for call, fate in zip(calls, found, strict=True)
            if fate.obstacle == "cycle"
        }
        groups = {one: group for group, ids in enumerate(cycles(stuck)) for one in ids}
        others: dict[str, str] = {}
        for call, key in calls_and_keys:
            one = call.invocation_id
            for other in dict.fromkeys(call.dependencies):
                needed = own.get(other) or earlier.get(other) or others.get(other)
                if needed is None:
                    needed = others[other] = f"r{number}c{len(nodes) - first}"
                    kind: NodeKind = "earlier" if is_earlier(other) else "unknown"
                    nodes.append(GraphNode(needed, kind, "", other, number))
                in_cycle = one == other or (one in groups and groups.get(other) == groups[one])
                edges.append(GraphEdge(needed, key, in_cycle))
        earlier |= {call.invocation_id: key for call, key in calls_and_keys}
    return Graph((*nodes,), (*edges,))
