"""Nested nodes from tokens, by a table of each format."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from llmblocks.core.scan import Kind
from llmblocks.core.section import Section


class Node(NamedTuple):
    """A node with a beginning and an end: a call, an argument, a message, a comment block."""

    kind: str
    start: int
    """Code points from the start of the section."""
    end: int
    closed: bool
    """False if the token that should end it is missing."""
    depth: int
    """The number of nodes around it in its section."""


class _Table(NamedTuple):
    opens: Mapping[Kind, str]
    closes: Mapping[Kind, str]
    ends: Mapping[str, frozenset[str]]
    leads: frozenset[Kind] = frozenset()
    runs: frozenset[str] = frozenset()
    breaks: frozenset[Kind] = frozenset()
    line_comments: frozenset[Kind] = frozenset()


class Nesting(_Table):
    """The tokens that begin and end nodes. Compared by identity.

    Attributes:
        opens: The kind of node that a token begins.
        closes: The kind of node that a token ends.
        ends: The kinds of open nodes that a node of this kind ends, because they cannot be around it.
        leads: Kinds of tokens that belong to the token after them.
        runs: Kinds of nodes that continue over the sections inside them, up to their end or to a token in `breaks`.
        line_comments: Kinds of comments that end with their line; they are in no node.
    """

    __slots__ = ()
    __eq__ = object.__eq__
    __ne__ = object.__ne__
    __hash__ = object.__hash__

    def breaks_run(self, section: Section) -> bool:
        """Return whether the start of a section ends a node that spans sections."""
        if self.breaks.isdisjoint(section.kinds):
            return False
        return next((kind for kind, _ in section.tokens if kind not in self.leads), None) in self.breaks

    def closes_run(self, section: Section) -> bool:
        """Return whether a node that spans sections ends in a section."""
        return any(node in self.runs and kind in section.kinds for kind, node in self.closes.items())

    def around(self, inner: Nesting) -> Nesting:
        """Merge both tables, for an inner format inside this one.

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
    """Return the nodes of a section in the order of their starts.

    Never raises. An unclosed node ends at the next node that cannot be inside it, or with the section.
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
    """Return whether a node lacks its end in its section."""
    return not node.closed and node.end == section.length
