"""The graph of dependencies, which call waits for which: as plain text, as Mermaid, as DOT, and as SVG."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from html import escape
from itertools import groupby
from operator import attrgetter
from typing import Literal, NamedTuple, Protocol

from llmblocks.contract.markup import shortened
from llmblocks.gadget.running.fates import Cause, Fate, Planned, fates, groups, name_of

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


_CHARACTER, _PADDING, _HEIGHT, _ROW, _GAP, _MARGIN = 7.3, 14, 62, 86, 56, 16
_LEFT, _GUTTER, _ABOVE = 40, 8, 6
"""The left side of the first column, where lines go down before it, and how far above a box they enter its row."""
_BASELINES = (21, 38, 54)
_LONGEST = 46
_NO_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
# a page around the picture may set these colours; alone, it follows the reader's choice of light or dark
STYLE = """\
.llmblocks-graph{--graph-ink:#1f2328;--graph-quiet:#59636e;--graph-line:#8c959f;--graph-box:#f6f8fa;--graph-bad:#c4161c;--graph-odd:#8a5a00;\
font:12px ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
@media(prefers-color-scheme:dark){.llmblocks-graph{--graph-ink:#e6edf3;--graph-quiet:#9aa4af;--graph-line:#6e7681;--graph-box:#1c2128;--graph-bad:#ff7b72;\
--graph-odd:#e3b341}}
.llmblocks-graph text{fill:var(--graph-quiet)}
.llmblocks-graph .name{fill:var(--graph-ink);font-weight:600}
.llmblocks-graph rect{fill:var(--graph-box);stroke:var(--graph-line)}
.llmblocks-graph path{fill:none;stroke:var(--graph-line)}
.llmblocks-graph :is(.failed,.rejected) rect,.llmblocks-graph .cycle{stroke:var(--graph-bad);stroke-width:1.5}
.llmblocks-graph :is(.failed,.rejected) .says{fill:var(--graph-bad)}
.llmblocks-graph .never-ran rect,.llmblocks-graph .unknown rect{stroke:var(--graph-odd);stroke-width:1.5}
.llmblocks-graph .never-ran .says,.llmblocks-graph .unknown .says{fill:var(--graph-odd)}
.llmblocks-graph .skipped rect,.llmblocks-graph .unknown rect,.llmblocks-graph .earlier rect{stroke-dasharray:5 4}
.llmblocks-graph .skipped .name,.llmblocks-graph .earlier .name{fill:var(--graph-quiet)}"""


class _Box(NamedTuple):
    """The place of a call."""

    x: float
    y: float
    width: float
    right: float
    """The end of its column."""
    response: int
    column: int


def to_svg(graph: Graph) -> str:
    """Return a self-contained picture."""
    boxes, headings, width, height = _layout(graph)
    calls = [node for node in graph.nodes if node.kind not in NAMED_ALONE]
    run = len([node for node in calls if node.wave])
    described = f"{len(calls)} call{'' if len(calls) == 1 else 's'}, {run} run{'s' if run == 1 else ''}"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="llmblocks-graph" viewBox="0 0 {width:g} {height:g}" '
        f'width="{width:g}" height="{height:g}" role="img" aria-label="{described}">',
        f"<style>{STYLE}</style>",
        '<defs><marker id="arrow" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" orient="auto">'
        '<path d="M0,0L8,4L0,8"/></marker></defs>',
    ]
    parts += [f'<text x="{_MARGIN}" y="{y + 12:g}">{text}</text>' for text, y in headings]
    for edge in graph.edges:
        path = _path(boxes[edge.dependency], boxes[edge.call])
        role = ' class="cycle"' if edge.cycle else ""
        parts.append(f'<path d="{path}" marker-end="url(#arrow)"{role}/>')
    parts += [_drawn(node, boxes[node.key]) for node in graph.nodes]
    return "\n".join([*parts, "</svg>"]) + "\n"


def _layout(graph: Graph) -> tuple[dict[str, _Box], list[tuple[str, float]], float, float]:
    """Return the places of the calls and of the headings, and the size of the picture."""
    needs: dict[str, list[str]] = {}
    for edge in graph.edges:
        needs.setdefault(edge.call, []).append(edge.dependency)
    boxes: dict[str, _Box] = {}
    headings: list[tuple[str, float]] = []
    right, bottom = float(_LEFT), float(_MARGIN)
    several = len({node.response for node in graph.nodes}) > 1
    for response, nodes in groupby(graph.nodes, attrgetter("response")):
        if several:
            headings.append((_escaped(graph.title(response)), bottom))
            bottom += 24
        x, top = float(_LEFT), bottom
        for number, column in enumerate(_columns(nodes, needs)):
            width = max(map(_width, column))
            for row, node in enumerate(column):
                boxes[node.key] = _Box(x, top + row * _ROW, _width(node), x + width, response, number)
            bottom = max(bottom, top + len(column) * _ROW)
            right = max(right, x + width)
            x += width + _GAP
    return boxes, headings, right + _GAP, bottom


def _columns(nodes: Iterable[GraphNode], needs: Mapping[str, Sequence[str]]) -> list[list[GraphNode]]:
    """Sort the calls of a response by their waves. A call that does not run is after the dependencies above it."""
    places: dict[str, int] = {}
    columns: dict[int, list[GraphNode]] = {}
    for node in nodes:
        before = [places[each] + 1 for each in needs.get(node.key, ()) if each in places]
        first = 0 if node.kind in NAMED_ALONE else 1
        place = places[node.key] = node.wave or max(before, default=first)
        columns.setdefault(place, []).append(node)
    return [columns[place] for place in sorted(columns)]


def _width(node: GraphNode) -> float:
    return max(map(len, _lines(node))) * _CHARACTER + 2 * _PADDING


def _lines(node: GraphNode) -> tuple[str, str, str]:
    """Return the lines in the box of a call: its gadget, its id, and its fate."""
    name = node.name or ("(unnamed)" if node.kind not in NAMED_ALONE else node.invocation_id)
    second = node.invocation_id if node.kind not in NAMED_ALONE else ""
    return shortened(name, _LONGEST), shortened(second, _LONGEST), shortened(state(node), _LONGEST)


def _drawn(node: GraphNode, box: _Box) -> str:
    title = ": ".join(filter(None, (label(node), state(node))))
    if node.message and node.message not in title:
        title += f"\n{node.message}"
    texts = [
        f'<text class="{role}" x="{box.x + _PADDING:g}" y="{box.y + down:g}">{_escaped(text)}</text>'
        for role, text, down in zip(("name", "id", "says"), _lines(node), _BASELINES, strict=True)
        if text
    ]
    number = f' data-call="{node.number}"' if node.number >= 0 else ""
    return (
        f'<g class="{name_of(node.kind)}"{number}><title>{_escaped(title)}</title>'
        f'<rect x="{box.x:g}" y="{box.y:g}" width="{box.width:g}" height="{_HEIGHT}" rx="6"/>{" ".join(texts)}</g>'
    )


def _path(source: _Box, target: _Box) -> str:
    """Return a curve between two boxes, which bends between columns and crosses them between rows, where no box is."""
    x1, y1 = source.x + source.width, source.y + _HEIGHT / 2
    x2, y2 = target.x, target.y + _HEIGHT / 2
    lane, half = source.y + (_HEIGHT + _ROW) / 2, _GAP / 2
    path = f"M{x1:g},{y1:g}H{source.right:g}"
    if source.response == target.response and source.column + 1 == target.column:
        return path + _bend(source.right, y1, y2)
    if source.response == target.response and source.column < target.column:
        return f"{path}{_bend(source.right, y1, lane)}H{x2 - _GAP:g}{_bend(x2 - _GAP, lane, y2)}"
    path += f"C{source.right + half:g},{y1:g} {source.right + half:g},{lane:g} {source.right:g},{lane:g}"
    if source.response != target.response:
        # left of all boxes, then above the row, since the columns of other responses are elsewhere
        lane = target.y - _ABOVE
        path += f"H{_GUTTER}V{lane:g}H{x2 - half:g}"
    else:
        path += f"H{x2:g}"
    return f"{path}C{x2 - half:g},{lane:g} {x2 - half:g},{y2:g} {x2:g},{y2:g}"


def _bend(x: float, start: float, end: float) -> str:
    """Return the bend from one height to another, in the gap after a column."""
    return f"C{x + _GAP / 2:g},{start:g} {x + _GAP / 2:g},{end:g} {x + _GAP:g},{end:g}"


def _escaped(text: str) -> str:
    return escape(_NO_XML.sub("\ufffd", text))
