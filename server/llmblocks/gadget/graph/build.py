"""The graph of dependencies: which call waits for which."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, Protocol

from llmblocks.gadget.running.planning import Plan, Planned, plan
from llmblocks.gadget.syntax.catalogue import DUPLICATE_INVOCATION_ID

Fate = Literal["runs", "cycle", "missing", "self", "duplicate", "unknown", "earlier"]
"""What becomes of a call: it runs, or the reason why it does not.

An `unknown` one is named as a dependency alone, and an `earlier` one has run in an earlier session file.
"""


class NamedCall(Planned, Protocol):
    """The attributes of a call that a graph shows; a `GadgetCall` and a `CallStarted` have them."""

    @property
    def name(self) -> str: ...


class GraphNode(NamedTuple):
    """A call.

    Shape: `key` is unique in the graph; `wave` counts from 0, and is -1 for a call that does not run in this response;
           `message` is the runtime's when it does not run.
    """

    key: str
    name: str
    invocation_id: str
    response: int
    wave: int
    fate: Fate
    message: str = ""


class GraphEdge(NamedTuple):
    """A dependency, by keys: `call` waits for `dependency`. Shape: `cycle` says that it is one of a cycle."""

    dependency: str
    call: str
    cycle: bool = False


@dataclass(frozen=True, slots=True)
class Graph:
    """The calls of some responses in their order, and their dependencies."""

    nodes: tuple[GraphNode, ...]
    edges: tuple[GraphEdge, ...]


def build_graph(responses: Iterable[Sequence[NamedCall]], is_earlier: Callable[[str], bool] = lambda _: False) -> Graph:
    """The graph of the calls of a session.

    Shape: a response is the calls of one message, in order; `is_earlier` says whether an id is that of a call which has
           run before all of them.
    """
    nodes: list[GraphNode] = []
    edges: list[GraphEdge] = []
    known: dict[str, str] = {}
    for number, calls in enumerate(responses):
        found = _Response(number, calls, known, is_earlier)
        nodes += found.nodes
        edges += found.edges
        known.update(found.completed)
    return Graph((*nodes,), (*edges,))


class _Response:
    """The part of a graph that shows one response. Shape: `known` has the keys of completed calls by id."""

    def __init__(
        self, number: int, calls: Sequence[NamedCall], known: dict[str, str], is_earlier: Callable[[str], bool]
    ) -> None:
        self.nodes: list[GraphNode] = []
        self.edges: list[GraphEdge] = []
        self.completed: dict[str, str] = {}
        self._number = number
        # not all that are known: a session would cost the square of its length
        needed = {other for call in calls for other in call.dependencies}
        earlier = {one for one in needed if one not in known and is_earlier(one)}
        planned = plan(calls, {one for one in needed if one in known} | earlier)
        waves = {one: wave for wave, ids in enumerate(planned.waves) for one in ids}
        cycles = {one: cycle for cycle, ids in enumerate(planned.cycles) for one in ids}
        first: dict[str, NamedCall] = {}
        keys: dict[str, str] = {}
        for call in calls:
            one = call.invocation_id
            again = one in first
            fate, message = _fate(one, planned, again=again)
            key = self._add(call.name, one, -1 if again else waves.get(one, -1), fate, message)
            if not again:
                first[one], keys[one] = call, key
        self.completed = {one: keys[one] for one in waves}
        for one, call in first.items():
            for other in dict.fromkeys(call.dependencies):
                if other not in keys:
                    fate = "earlier" if other in earlier else "unknown"
                    keys[other] = known.get(other) or self._add("", other, -1, fate, "")
                in_cycle = one == other or (one in cycles and cycles.get(other) == cycles[one])
                self.edges.append(GraphEdge(keys[other], keys[one], in_cycle))

    def _add(self, name: str, invocation_id: str, wave: int, fate: Fate, message: str) -> str:
        key = f"r{self._number}c{len(self.nodes)}"
        self.nodes.append(GraphNode(key, name, invocation_id, self._number, wave, fate, message))
        return key


def _fate(one: str, planned: Plan, *, again: bool) -> tuple[Fate, str]:
    if again:
        return "duplicate", DUPLICATE_INVOCATION_ID.says({"id": one})
    unresolved = planned.unresolved.get(one)
    return ("runs", "") if unresolved is None else (unresolved.reason, unresolved.message)
