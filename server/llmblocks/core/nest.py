"""From tokens to nested nodes, by a table of each format."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import chain
from typing import Final, NamedTuple

from llmblocks.core.scan import Kind, Token
from llmblocks.core.section import Section, Tree


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

    def breaks_run(self, pieces: Tree) -> bool:
        """Whether a section ends, at its start, a node that goes on over sections."""
        if self.breaks.isdisjoint(pieces.kinds):
            return False
        tokens = chain.from_iterable(piece.tokens for piece in pieces)
        return next((kind for kind, _ in tokens if kind not in self.leads), None) in self.breaks

    def closes_run(self, pieces: Tree) -> bool:
        """Whether a node that goes on over sections ends in some pieces."""
        return not self._ends_runs.isdisjoint(pieces.kinds)

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


class Nested(NamedTuple):
    """The nodes that begin or end in a piece, places counted from its start.

    Shape: `nodes` begin in it, in the order of their starts; one that goes on after it has the end -1. `ended` are the
           ends of nodes that began before it, innermost first, each with its kind and whether it is closed.
    """

    nodes: list[Node]
    ended: list[tuple[str, int, bool]]


class Nest:
    """Walks over the pieces of a section, from its start.

    Shape: `open` are the kinds of the nodes that are open, outermost first: what is found in a piece depends on nothing
           else.
    """

    __slots__ = ("_counts", "_nesting", "open")

    def __init__(self, nesting: Nesting) -> None:
        self._nesting = nesting
        self._counts: dict[str, int] = {}
        self.open: list[str] = []

    def count(self, kinds: Iterable[str]) -> int:
        """The number of open nodes of some kinds."""
        return sum([self._counts.get(kind, 0) for kind in kinds])

    def pass_over(self, ended: int, begun: Iterable[str]) -> None:
        """Take in a piece whose nodes are known: how many nodes end in it, and the kinds of those that go on."""
        for _ in range(ended):
            self._counts[self.open.pop()] -= 1
        for kind in begun:
            self.open.append(kind)
            self._counts[kind] = self._counts.get(kind, 0) + 1

    def take(self, tokens: Iterable[Token]) -> Nested:
        """The nodes of the next piece, by its tokens. Nothing raises: what ends no node is passed over."""
        nesting, stack, counts = self._nesting, self.open, self._counts
        opens, closes, ends, leads = nesting.opens, nesting.closes, nesting.ends, nesting.leads
        nodes: list[Node] = []
        ended: list[tuple[str, int, bool]] = []
        numbers: list[int] = []
        lead = -1
        at = 0

        def pop(end: int, closed: bool) -> None:
            kind = stack.pop()
            counts[kind] -= 1
            if numbers:
                number = numbers.pop()
                _, start, _, _, depth = nodes[number]
                nodes[number] = Node(kind, start, end, closed, depth)
            else:
                ended.append((kind, end, closed))

        for kind, width in tokens:
            opened = opens.get(kind)
            if opened is not None:
                begin = at if lead < 0 else lead
                stops = ends.get(opened, ())
                while stack and stack[-1] in stops:
                    pop(begin, False)
                numbers.append(len(nodes))
                nodes.append(Node(opened, begin, -1, False, len(stack)))
                stack.append(opened)
                counts[opened] = counts.get(opened, 0) + 1
            closed = closes.get(kind)
            if closed is not None and counts.get(closed):
                begin = at if lead < 0 else lead
                while stack[-1] != closed:
                    pop(begin, False)
                pop(at + width, True)
            if kind not in leads:
                lead = -1
            elif lead < 0:
                lead = at
            at += width
        return Nested(nodes, ended)


def nest(section: Section, nesting: Nesting) -> tuple[Node, ...]:
    """The nodes of a section in the order of their starts.

    Errors: none; an unclosed node ends at the next node that cannot be inside it, or with the section.
    """
    walk, found = Nest(nesting), list[Node]()
    numbers: list[int] = []
    at = 0
    for piece in section.pieces:
        nodes, ended = walk.take(piece.tokens)
        for _, end, closed in ended:
            number = numbers.pop()
            found[number] = found[number]._replace(end=at + end, closed=closed)
        for kind, start, end, closed, depth in nodes:
            if end < 0:
                numbers.append(len(found))
            found.append(Node(kind, at + start, at + end, closed, depth))
        at += piece.length
    for number in numbers:
        found[number] = found[number]._replace(end=at)
    return (*found,)
