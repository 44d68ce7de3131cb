"""The graph of dependencies: which call waits for which."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
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


def build_graph(responses: Iterable[Sequence[NamedCall]], is_earlier: Callable[[str], bool] = lambda _: False) -> Graph:
    """Build the graph of the calls of a session.

    Args:
        responses: The calls of each message, in order.
        is_earlier: Whether an id belongs to a call that ran before all of them.
    """
    found = _Building(is_earlier)
    for number, calls in enumerate(responses):
        found.add(number, calls)
    return Graph((*found.nodes,), (*found.edges,))


class _Building:
    """A graph under construction.

    Attributes:
        keys, failed: By id, for the calls in earlier responses.
    """

    def __init__(self, is_earlier: Callable[[str], bool]) -> None:
        self.nodes: list[GraphNode] = []
        self.edges: list[GraphEdge] = []
        self._is_earlier = is_earlier
        self._count = 0
        self._keys: dict[str, str] = {}
        self._failed: dict[str, Cause] = {}

    def add(self, number: int, calls: Sequence[NamedCall]) -> None:
        """Add the calls of one response."""
        first = len(self.nodes)

        def node(kind: NodeKind, name: str, invocation_id: str, call: int = -1, fate: Fate | None = None) -> str:
            key = f"r{number}c{len(self.nodes) - first}"
            said = (fate.wave, fate.says, fate.message) if fate else ()
            self.nodes.append(GraphNode(key, kind, name, invocation_id, number, call, *said))
            return key

        # not all that are known: a session would take quadratic time
        needed = {other for call in calls for other in call.dependencies}
        earlier = {one for one in needed if one not in self._keys and self._is_earlier(one)}
        ran = {one for one in needed if one in self._keys and one not in self._failed}
        failed = {one: self._failed[one] for one in needed if one in self._failed}
        found = fates(calls, [call.error for call in calls], ran | earlier, failed)
        own = [
            node(fate.kind, call.name, call.invocation_id, self._count + place, fate)
            for place, (call, fate) in enumerate(zip(calls, found, strict=True))
        ]
        self._count += len(calls)
        keys: dict[str, str] = {}
        for call, key in zip(calls, own, strict=True):
            keys.setdefault(call.invocation_id, key)
        blocked = [(call, fate) for call, fate in zip(calls, found, strict=True) if fate.obstacle == "cycle"]
        waits = {call.invocation_id: fate.dependencies for call, fate in blocked}
        groups = {one: group for group, ids in enumerate(cycles(waits)) for one in ids}
        for call, key in zip(calls, own, strict=True):
            one = call.invocation_id
            for other in dict.fromkeys(call.dependencies):
                if other not in keys:
                    keys[other] = self._keys.get(other) or node("earlier" if other in earlier else "unknown", "", other)
                in_cycle = one == other or (one in groups and groups.get(other) == groups[one])
                self.edges.append(GraphEdge(keys[other], key, in_cycle))
        for call, key, fate in zip(calls, own, found, strict=True):
            self._keys[call.invocation_id] = key
            if not fate.wave:
                self._failed.setdefault(call.invocation_id, fate.lasting(call.invocation_id))
