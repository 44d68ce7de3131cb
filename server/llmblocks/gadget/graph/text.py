"""A graph as plain text, as Mermaid, and as DOT."""

from __future__ import annotations

from collections.abc import Iterator

from llmblocks.gadget.graph.build import Graph, GraphNode, NodeKind

COLOURS: dict[NodeKind, str] = {
    "failed": "#d13438",
    "rejected": "#d13438",
    "skipped": "#8c959f",
    "never ran": "#c19c00",
    "unknown": "#c19c00",
}
"""The colours of the calls that do not run."""
NAMED_ALONE: frozenset[NodeKind] = frozenset(("unknown", "earlier"))
"""The kinds of nodes for ids without a call in the text."""
_CYCLE = "#d13438"
_STOPPED: tuple[NodeKind, ...] = ("failed", "rejected", "skipped", "never ran")


def to_text(graph: Graph) -> str:
    """Return the responses, their waves, and the calls that do not run."""
    lines = [*_lines(graph)]
    return "\n".join(lines) + "\n" if lines else "no calls\n"


def _lines(graph: Graph) -> Iterator[str]:
    waits: dict[str, list[str]] = {}
    ids = {node.key: node.invocation_id for node in graph.nodes}
    for edge in graph.edges:
        waits.setdefault(edge.call, []).append(ids[edge.dependency])
    several = len({node.response for node in graph.nodes}) > 1
    for response in dict.fromkeys(node.response for node in graph.nodes):
        nodes = [node for node in graph.nodes if node.response == response]
        indent = ""
        if several:
            yield graph.title(response)
            indent = "  "
        for wave in sorted({node.wave for node in nodes if node.wave}):
            yield f"{indent}wave {wave}"
            yield from (f"{indent}  {label(node)}{_after(waits, node)}" for node in nodes if node.wave == wave)
        for kind in _STOPPED:
            stopped = [node for node in nodes if node.kind == kind]
            if stopped:
                yield f"{indent}{kind}"
                yield from (f"{indent}  {label(node)}: {node.says.partition(': ')[2]}" for node in stopped)


def _after(waits: dict[str, list[str]], node: GraphNode) -> str:
    return f" after {', '.join(waits[node.key])}" if node.key in waits else ""


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
        shown = _dot("\n".join((label(node), state(node))))
        lines.append(f"    {node.key} [label={shown}{colour}];")
    for edge in graph.edges:
        colour = f' [color="{_CYCLE}"]' if edge.cycle else ""
        lines.append(f"    {edge.dependency} -> {edge.call}{colour};")
    return "\n".join([*lines, "}"]) + "\n"


def _mermaid(text: str) -> str:
    """Escape all characters that Mermaid could read as syntax."""
    return "".join([each if each.isalnum() or each in " _-./" else f"#{ord(each)};" for each in text])


def _dot(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
