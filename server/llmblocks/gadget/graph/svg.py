"""A graph as SVG: each call is to the right of its dependencies."""

from __future__ import annotations

import re
from html import escape
from typing import NamedTuple

from llmblocks.contract.markup import shortened
from llmblocks.gadget.graph.build import Graph, GraphNode
from llmblocks.gadget.graph.text import NAMED_ALONE, label, state
from llmblocks.gadget.running.fates import name_of

_CHARACTER, _PADDING, _HEIGHT, _ROW, _GAP, _MARGIN = 7.3, 14, 62, 86, 56, 16
_GUTTER, _TURN, _ABOVE = 8, 8, 6
"""Where lines go down on the left side, the size of their corners, and how far above a box they enter its row."""
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
    """The index of its column in the response."""


def to_svg(graph: Graph) -> str:
    """Return a self-contained picture."""
    boxes, headings, width, height = _layout(graph)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="llmblocks-graph" viewBox="0 0 {width:g} {height:g}" '
        f'width="{width:g}" height="{height:g}" role="img" aria-label="{escape(described(graph))}">',
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


def described(graph: Graph) -> str:
    """Describe a graph in a few words, for people who cannot see it."""
    calls = [node for node in graph.nodes if node.kind not in NAMED_ALONE]
    stopped = len([node for node in calls if not node.wave])
    count = f"{len(calls)} call{'' if len(calls) == 1 else 's'}"
    return f"{count}, {stopped} of which {'does' if stopped == 1 else 'do'} not run" if stopped else f"{count}, all run"


def _layout(graph: Graph) -> tuple[dict[str, _Box], list[tuple[str, float]], float, float]:
    """Return the places of the calls and of the headings, and the size of the picture."""
    boxes: dict[str, _Box] = {}
    headings: list[tuple[str, float]] = []
    columns = _columns(graph)
    right = bottom = float(_MARGIN)
    responses = {node.key: node.response for node in graph.nodes}
    goes_back = any(
        responses[one] != responses[other] or columns[one] >= columns[other] for one, other, _ in graph.edges
    )
    left = float(_GUTTER + _TURN + _MARGIN) if goes_back else right
    by_response: dict[int, list[GraphNode]] = {}
    for node in graph.nodes:
        by_response.setdefault(node.response, []).append(node)
    for response, nodes in by_response.items():
        if len(by_response) > 1:
            headings.append((_escaped(graph.title(response)), bottom))
            bottom += 24
        x, top = left, bottom
        by_column: dict[int, list[GraphNode]] = {}
        for node in nodes:
            by_column.setdefault(columns[node.key], []).append(node)
        for number, place in enumerate(sorted(by_column)):
            column = by_column[place]
            width = max(map(_width, column))
            for row, node in enumerate(column):
                boxes[node.key] = _Box(x, top + row * _ROW, _width(node), x + width, response, number)
            bottom = max(bottom, top + len(column) * _ROW)
            right = max(right, x + width)
            x += width + _GAP
    return boxes, headings, right + _GAP, bottom


def _columns(graph: Graph) -> dict[str, int]:
    """Return the column of each call: after its dependencies, except those on a cycle."""
    responses = {node.key: node.response for node in graph.nodes}
    waits: dict[str, set[str]] = {node.key: set() for node in graph.nodes}
    waiting: dict[str, list[str]] = {}
    for dependency, call, _ in graph.edges:
        if dependency != call and responses[dependency] == responses[call]:
            waits[call].add(dependency)
            waiting.setdefault(dependency, []).append(call)
    columns = dict.fromkeys(waits, 0)
    left = {key: len(needs) for key, needs in waits.items()}
    ready = [key for key, count in left.items() if not count]
    others = iter(waits)
    while left:
        if not ready:
            # all remaining calls wait for a cycle: open it at its first call
            ready = [next(key for key in others if key in left)]
        for key in ready:
            left.pop(key, None)
        following: dict[str, None] = {}
        for key in ready:
            for other in waiting.get(key, ()):
                if other in left:
                    columns[other] = max(columns[other], columns[key] + 1)
                    left[other] -= 1
                    if not left[other]:
                        following[other] = None
        ready = [*following]
    return columns


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
    """Return a curve from the right side of one box to the left side of another.

    It bends between columns only, and crosses a column between two rows, where no box is.
    """
    x1, y1 = source.x + source.width, source.y + _HEIGHT / 2
    x2, y2 = target.x, target.y + _HEIGHT / 2
    if source.response == target.response and source.column + 1 == target.column:
        return f"M{x1:g},{y1:g}H{source.right:g}{_bend(source.right, y1, y2)}"
    lane = source.y + (_HEIGHT + _ROW) / 2
    if source.response == target.response and source.column < target.column:
        return (
            f"M{x1:g},{y1:g}H{source.right:g}{_bend(source.right, y1, lane)}H{x2 - _GAP:g}{_bend(x2 - _GAP, lane, y2)}"
        )
    half = _GAP / 2
    out = f"M{x1:g},{y1:g}H{source.right:g}C{source.right + half:g},{y1:g} {source.right + half:g},{lane:g} "
    out += f"{source.right:g},{lane:g}"
    if source.response == target.response:
        # back, to the gap before the column
        return f"{out}H{x2:g}C{x2 - half:g},{lane:g} {x2 - half:g},{y2:g} {x2:g},{y2:g}"
    # down to another response, whose columns are elsewhere: left of all boxes, then above the row
    above, turn = target.y - _ABOVE, _GUTTER + _TURN
    start = max(x2 - half, turn)
    middle = (start + x2) / 2
    return (
        f"{out}H{turn}C{_GUTTER},{lane:g} {_GUTTER},{lane:g} {_GUTTER},{lane + _TURN:g}V{above - _TURN:g}"
        f"C{_GUTTER},{above:g} {_GUTTER},{above:g} {turn},{above:g}"
        f"H{start:g}C{middle:g},{above:g} {middle:g},{y2:g} {x2:g},{y2:g}"
    )


def _bend(x: float, start: float, end: float) -> str:
    """Return the bend from one height to another, in the gap after a column."""
    return f"C{x + _GAP / 2:g},{start:g} {x + _GAP / 2:g},{end:g} {x + _GAP:g},{end:g}"


def _escaped(text: str) -> str:
    return escape(_NO_XML.sub("\ufffd", text))
