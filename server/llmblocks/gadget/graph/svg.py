"""A graph as SVG: a column for each wave, and the calls that do not run below them."""

from __future__ import annotations

import re
from html import escape
from typing import NamedTuple

from llmblocks.gadget.graph.build import Graph, GraphNode
from llmblocks.gadget.graph.text import COLOURS, NAMED_ALONE, label

_CHARACTER, _PADDING, _HEIGHT, _ROW, _GAP, _MARGIN = 7.5, 12, 32, 48, 64, 16
_LONGEST = 48
_NO_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_STYLE = (
    "text{font:13px ui-monospace,monospace;fill:currentColor}"
    "rect{fill:none;stroke:currentColor}path{fill:none;stroke:currentColor;stroke-opacity:.6}"
)


class _Box(NamedTuple):
    """The place of a call. Shape: `right` is where its column ends, `row` the top of its columns, `column` a number."""

    x: float
    y: float
    width: float
    right: float
    row: float
    column: int


def to_svg(graph: Graph) -> str:
    """A picture that needs nothing from outside. It takes the colour of the text around it."""
    boxes, width, height = _layout(graph)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{width:g}" '
        f'height="{height:g}" role="img" aria-label="dependencies of calls">',
        f"<style>{_STYLE}</style>",
        '<defs><marker id="arrow" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" orient="auto">'
        '<path d="M0,0L8,4L0,8"/></marker></defs>',
    ]
    for edge in graph.edges:
        colour = f' style="stroke:{COLOURS["cycle"]}"' if edge.cycle else ""
        path = _path(boxes[edge.dependency], boxes[edge.call])
        parts.append(f'<path d="{path}" marker-end="url(#arrow)"{colour}/>')
    parts += [_drawn(node, boxes[node.key]) for node in graph.nodes]
    return "\n".join([*parts, "</svg>"]) + "\n"


def _layout(graph: Graph) -> tuple[dict[str, _Box], float, float]:
    """The place of each call, and the size of the picture."""
    boxes: dict[str, _Box] = {}
    left = right = float(_MARGIN)
    bottom = float(_MARGIN)
    for response in dict.fromkeys(node.response for node in graph.nodes):
        nodes = [node for node in graph.nodes if node.response == response]
        waves = [[node for node in nodes if node.wave == wave] for wave in sorted({node.wave for node in nodes} - {-1})]
        unknown = [node for node in nodes if node.fate in NAMED_ALONE]
        stopped = [node for node in nodes if node.wave < 0 and node.fate not in NAMED_ALONE]
        for row in (waves, [unknown, stopped]):
            x, top = left, bottom
            for number, column in enumerate(filter(None, row)):
                width = max(map(_width, column))
                for place, node in enumerate(column):
                    boxes[node.key] = _Box(x, top + place * _ROW, _width(node), x + width, top, number)
                bottom = max(bottom, top + len(column) * _ROW)
                right = max(right, x + width)
                x += width + _GAP
    return boxes, right + _GAP, bottom + _MARGIN


def _width(node: GraphNode) -> float:
    return len(_short(node)) * _CHARACTER + 2 * _PADDING


def _short(node: GraphNode) -> str:
    text = label(node)
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


def _drawn(node: GraphNode, box: _Box) -> str:
    colour = f' style="stroke:{COLOURS[node.fate]}"' if node.fate in COLOURS else ""
    title = _escaped(node.message or label(node))
    return (
        f"<g><title>{title}</title>"
        f'<rect x="{box.x:g}" y="{box.y:g}" width="{box.width:g}" height="{_HEIGHT}" rx="4"{colour}/>'
        f'<text x="{box.x + _PADDING:g}" y="{box.y + 21:g}">{_escaped(_short(node))}</text></g>'
    )


def _path(source: _Box, target: _Box) -> str:
    """A curve from the right side of one box to the left side of another; in one column, it stays at the right.

    It bends between columns only, and passes a column between the boxes of it, below the row of its source.
    """
    x1, y1 = source.x + source.width, source.y + _HEIGHT / 2
    x2, y2 = target.x, target.y + _HEIGHT / 2
    if source.x == target.x:
        x2, y1, y2 = target.x + target.width, y1 - 5, y2 + 5
        return f"M{x1:g},{y1:g}C{x1 + _GAP / 2:g},{y1:g} {x2 + _GAP / 2:g},{y2:g} {x2:g},{y2:g}"
    if source.row == target.row and source.column < target.column:
        between = f"M{x1:g},{y1:g}H{source.right:g}"
        if source.column + 1 == target.column:
            return between + _bend(source.right, y1, y2)
        lane = source.y + (_HEIGHT + _ROW) / 2
        return f"{between}{_bend(source.right, y1, lane)}H{x2 - _GAP:g}{_bend(x2 - _GAP, lane, y2)}"
    bend = max(abs(x2 - x1) / 2, _GAP / 2)
    return f"M{x1:g},{y1:g}C{x1 + bend:g},{y1:g} {x2 - bend:g},{y2:g} {x2:g},{y2:g}"


def _bend(x: float, start: float, end: float) -> str:
    """From one height to another, in the gap after a column."""
    return f"C{x + _GAP / 2:g},{start:g} {x + _GAP / 2:g},{end:g} {x + _GAP:g},{end:g}"


def _escaped(text: str) -> str:
    return escape(_NO_XML.sub("\ufffd", text))
