"""From tokens to nested nodes, by a table of each format."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from llmblocks.core.scan import Kind
from llmblocks.core.section import Section


class Node(NamedTuple):
    """A node with a beginning and an end: a call, an argument, a message, a comment block.

    Shape: `start` and `end` in code points from the start of the section; `closed` is false where the token that
           should end it is missing; `depth` is the number of nodes around it in its section.
    """

    kind: str
    start: int
    end: int
    closed: bool
    depth: int


class Nesting:
    """The tokens that begin and end nodes. Compared by identity.

    Shape: `opens` and `closes` give the node kind that a token begins or ends; `ends` gives, for a node kind, the kinds
           that may not be open around it: those it ends. Tokens of a kind in `leads` belong to the one behind them.
           A node of a kind in `runs` goes on over the sections inside it, up to what closes it or a token in `breaks`.
           Tokens of a kind in `line_comments` are comments that end with their line; they are in no node.
    """

    __slots__ = ("_ends_runs", "breaks", "closes", "ends", "leads", "line_comments", "opens", "runs")

    def __init__(
        self,
        opens: Mapping[Kind, str],
        closes: Mapping[Kind, str],
        ends: Mapping[str, frozenset[str]],
        leads: frozenset[Kind] = frozenset(),
        runs: frozenset[str] = frozenset(),
        breaks: frozenset[Kind] = frozenset(),
        line_comments: frozenset[Kind] = frozenset(),
    ) -> None:
        self.opens: Final = opens
        self.closes: Final = closes
        self.ends: Final = ends
        self.leads: Final = leads
        self.runs: Final = runs
        self.breaks: Final = breaks
        self.line_comments: Final = line_comments
        self._ends_runs: Final = frozenset([kind for kind, node in closes.items() if node in runs])

    def breaks_run(self, section: Section) -> bool:
        """Whether a section ends, at its start, a node that goes on over sections."""
        if self.breaks.isdisjoint(section.kinds):
            return False
        return next((kind for kind, _ in section.tokens if kind not in self.leads), None) in self.breaks

    def closes_run(self, section: Section) -> bool:
        """Whether a node that goes on over sections ends in a section."""
        return not self._ends_runs.isdisjoint(section.kinds)

    def around(self, inner: Nesting) -> Nesting:
        """Both tables merged, for an inner format inside this one.

        A token that ends a node here also ends all open inner nodes; any other, such as a comment, does not.
        """
        insiders = frozenset(inner.opens.values())
        ends = {kind: ended | insiders for kind, ended in self.ends.items()}
        return Nesting(
            {**self.opens, **inner.opens},
            {**self.closes, **inner.closes},
            {**ends, **inner.ends},
            self.leads | inner.leads,
            self.runs | inner.runs,
            self.breaks | inner.breaks,
            self.line_comments | inner.line_comments,
        )


def nest(section: Section, nesting: Nesting) -> tuple[Node, ...]:
    """The nodes of a section in the order of their starts.

    Errors: none; an unclosed node ends at the next node that cannot be inside it, or with the section.
    """
    opens, closes, ends, leads = nesting.opens, nesting.closes, nesting.ends, nesting.leads
    nodes: list[Node] = []
    stack: list[int] = []
    counts: dict[str, int] = {}
    lead = -1
    at = 0

    def pop(end: int, closed: bool) -> None:
        number = stack.pop()
        kind, start, _, _, depth = nodes[number]
        counts[kind] -= 1
        nodes[number] = Node(kind, start, end, closed, depth)

    for kind, width in section.tokens:
        opened = opens.get(kind)
        if opened is not None:
            begin = at if lead < 0 else lead
            stops = ends.get(opened, ())
            while stack and nodes[stack[-1]].kind in stops:
                pop(begin, False)
            stack.append(len(nodes))
            nodes.append(Node(opened, begin, -1, False, len(stack) - 1))
            counts[opened] = counts.get(opened, 0) + 1
        closed = closes.get(kind)
        if closed is not None and counts.get(closed):
            begin = at if lead < 0 else lead
            while nodes[stack[-1]].kind != closed:
                pop(begin, False)
            pop(at + width, True)
        if kind not in leads:
            lead = -1
        elif lead < 0:
            lead = at
        at += width
    while stack:
        pop(at, False)
    return (*nodes,)


def is_open(node: Node, section: Section) -> bool:
    """Whether nothing ends a node in its section."""
    return not node.closed and node.end == section.length
