"""From tokens to nested nodes, by a table of each format."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

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


@dataclass(frozen=True, slots=True, eq=False)
class Nesting:
    """The tokens that begin and end nodes. Compared by identity.

    Shape: `opens` and `closes` give the node kind that a token begins or ends; `ends` gives, for a node kind, the kinds
           that may not be open around it: those it ends. Tokens of a kind in `leads` belong to the one behind them.
           A node of a kind in `runs` goes on over the sections inside it, up to what closes it or a token in `breaks`.
    """

    opens: Mapping[Kind, str]
    closes: Mapping[Kind, str]
    ends: Mapping[str, frozenset[str]]
    leads: frozenset[Kind] = field(default_factory=frozenset)
    runs: frozenset[str] = field(default_factory=frozenset)
    breaks: frozenset[Kind] = field(default_factory=frozenset)

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
        )


def nest(section: Section, nesting: Nesting) -> tuple[Node, ...]:
    """The nodes of a section in the order of their starts.

    Errors: none; an unclosed node ends at the next node that cannot be inside it, or with the section.
    """
    opens, closes, ends, leads = nesting.opens, nesting.closes, nesting.ends, nesting.leads
    nodes: list[Node] = []
    stack: list[int] = []
    open_kinds: dict[str, int] = {}
    lead = -1
    at = 0

    def pop(end: int, closed: bool) -> None:
        number = stack.pop()
        kind, start, _, _, depth = nodes[number]
        open_kinds[kind] -= 1
        nodes[number] = Node(kind, start, end, closed, depth)

    for kind, width in section.tokens:
        opened = opens.get(kind)
        if opened is not None:
            begin = at if lead < 0 else lead
            stops = ends.get(opened, ())
            while stack and nodes[stack[-1]].kind in stops:
                pop(begin, False)
            stack.append(len(nodes))
            nodes.append(Node(opened, begin, begin, False, len(stack) - 1))
            open_kinds[opened] = open_kinds.get(opened, 0) + 1
        closed = closes.get(kind)
        if closed is not None and open_kinds.get(closed):
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
