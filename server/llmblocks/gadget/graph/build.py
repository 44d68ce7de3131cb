"""The graph of dependencies: which call waits for which, as plain text, as Mermaid, and as DOT."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from operator import attrgetter
from typing import Literal, NamedTuple, Protocol

from llmblocks.gadget.running.fates import Cause, Fate, Planned, fates, groups

NodeKind = Literal["runs", "failed", "rejected", "skipped", "never ran", "unknown", "earlier"]
"""The kind of a node: a call by its fate, or an id without a call here: unknown, or of an earlier session file."""


COLOURS: dict[NodeKind, str] = {
    "failed": "#d13438",
    "rejected": "#d13438",
    "skipped": "#8c959f",
    "never ran": "#c19c00",
    "unknown": "#c19c00",
}
NAMED_ALONE: frozenset[NodeKind] = frozenset(("unknown", "earlier"))
"""The kinds of nodes for ids without a call in the text."""
_CYCLE = "#d13438"
_STOPPED: tuple[NodeKind, ...] = ("failed", "rejected", "skipped", "never ran")


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
    message: str = ""


class GraphEdge(NamedTuple):
    """A dependency, by keys: `call` waits for `dependency`."""

    dependency: str
    call: str
    cycle: bool = False


class Graph(NamedTuple):
    """The calls of some responses in order, and their dependencies."""

    nodes: tuple[GraphNode, ...]
    edges: tuple[GraphEdge, ...]
    titles: tuple[str, ...] = ()

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
    """Build the graph of the calls of each response, in order. `is_earlier`: whether an id is of a call before them."""
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
        in_group = {one: group for group, ids in enumerate(groups(stuck)) for one in ids}
        others: dict[str, str] = {}
        for call, key in calls_and_keys:
            one = call.invocation_id
            for other in dict.fromkeys(call.dependencies):
                needed = own.get(other) or earlier.get(other) or others.get(other)
                if needed is None:
                    needed = others[other] = f"r{number}c{len(nodes) - first}"
                    kind: NodeKind = "earlier" if is_earlier(other) else "unknown"
                    nodes.append(GraphNode(needed, kind, "", other, number))
                in_cycle = one == other or (one in in_group and in_group.get(other) == in_group[one])
                edges.append(GraphEdge(needed, key, in_cycle))
        earlier |= {call.invocation_id: key for call, key in calls_and_keys}
    return Graph((*nodes,), (*edges,))


def to_text(graph: Graph) -> str:
    """Return the responses, their waves, and the calls that do not run."""
    waits: dict[str, list[str]] = {}
    ids = {node.key: node.invocation_id for node in graph.nodes}
    for edge in graph.edges:
        waits.setdefault(edge.call, []).append(ids[edge.dependency])
    lines: list[str] = []
    several = len({node.response for node in graph.nodes}) > 1
    for response, nodes in groupby(graph.nodes, attrgetter("response")):
        rows: dict[tuple[int, int, str], list[str]] = {}
        for node in nodes:
            after = f" after {', '.join(waits[node.key])}" if node.key in waits else ""
            if node.wave:
                rows.setdefault((0, node.wave, f"wave {node.wave}"), []).append(f"  {label(node)}{after}")
            elif node.kind in _STOPPED:
                says = node.says.partition(": ")[2]
                rows.setdefault((1, _STOPPED.index(node.kind), node.kind), []).append(f"  {label(node)}: {says}")
        found = [line for key in sorted(rows) for line in (key[2], *rows[key])]
        lines += [graph.title(response), *[f"  {line}" for line in found]] if several else found
    return "\n".join([*lines, ""]) or "no calls\n"


def label(node: GraphNode) -> str:
    """Return the name and the id of a call."""
    if node.kind in NAMED_ALONE:
        return node.invocation_id
    return f"{node.name or '(unnamed)'} {node.invocation_id}".rstrip()


def state(node: GraphNode) -> str:
    """Return the fate of a call, or the state of an id without a call."""
    return node.says or ("in an earlier file" if node.kind == "earlier" else "no such call")


def to_mermaid(graph: Graph) -> str:
    """Return a Mermaid flow chart, for Markdown."""
    lines = ["flowchart LR"]
    lines += [f'    {node.key}["{_mermaid(label(node))}<br>{_mermaid(state(node))}"]' for node in graph.nodes]
    for number, edge in enumerate(graph.edges):
        lines.append(f"    {edge.dependency} --> {edge.call}")
        if edge.cycle:
            lines.append(f"    linkStyle {number} stroke:{_CYCLE}")
    lines += [f"    style {node.key} stroke:{COLOURS[node.kind]}" for node in graph.nodes if node.kind in COLOURS]
    return "\n".join(lines) + "\n"


def to_dot(graph: Graph) -> str:
    """Return a graph in DOT, for Graphviz."""
    lines = ["digraph calls {", "    rankdir=LR;", "    node [shape=box];"]
    for node in graph.nodes:
        colour = f', color="{COLOURS[node.kind]}"' if node.kind in COLOURS else ""
        shown = f"{label(node)}\n{state(node)}".replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
        lines.append(f'    {node.key} [label="{shown}"{colour}];')
    for edge in graph.edges:
        colour = f' [color="{_CYCLE}"]' if edge.cycle else ""
        lines.append(f"    {edge.dependency} -> {edge.call}{colour};")
    return "\n".join([*lines, "}"]) + "\n"


def _mermaid(text: str) -> str:
    """Escape all characters that Mermaid could read as syntax."""
    return "".join([each if each.isalnum() or each in " _-./" else f"#{ord(each)};" for each in text])
