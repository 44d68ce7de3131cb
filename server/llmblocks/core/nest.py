"""From tokens to a tree: a cheap fold over what a scanner found, by a table that each format supplies."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from llmblocks.core.scan import Kind
from llmblocks.core.section import Section, Span


class Node(NamedTuple):
    """Something that has a beginning and an end: a call, an argument, a message, a comment block.

    Shape: `start` and `end` in code points from the start of the section; `closed` is false where the token that
           should end it is missing.
    """

    kind: str
    start: int
    end: int
    closed: bool
    children: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Nesting:
    """Which tokens begin and end which nodes.

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
        """Both tables as one, for an inner format inside this one: what begins here ends whatever is open in there."""
        insiders = frozenset(inner.opens.values())
        ends = {kind: self.ends.get(kind, frozenset()) | insiders for kind in self.opens.values()}
        return Nesting(
            {**self.opens, **inner.opens},
            {**self.closes, **inner.closes},
            {**ends, **inner.ends},
            self.leads | inner.leads,
            self.runs | inner.runs,
            self.breaks | inner.breaks,
        )


def nest(section: Section, nesting: Nesting) -> tuple[Node, ...]:
    """The tree of a section.

    Errors: none; what is not closed ends where the next thing that cannot be inside it begins, or with the section.
    """
    return fold(section.spans(), nesting)


class _Open:
    __slots__ = ("children", "kind", "start")

    def __init__(self, kind: str, start: int) -> None:
        self.kind = kind
        self.start = start
        self.children: list[Node] = []


def fold(spans: Iterable[Span], nesting: Nesting) -> tuple[Node, ...]:
    """Make nodes of tokens, in one pass."""
    opens, closes, ends, leads = nesting.opens, nesting.closes, nesting.ends, nesting.leads
    root = _Open("", 0)
    stack = [root]
    lead: int | None = None
    at = 0

    def pop(end: int, closed: bool) -> None:
        done = stack.pop()
        stack[-1].children.append(Node(done.kind, done.start, end, closed, tuple(done.children)))

    for kind, start, end in spans:
        begin = start if lead is None else lead
        opened = opens.get(kind)
        if opened is not None:
            stops = ends.get(opened, ())
            while len(stack) > 1 and stack[-1].kind in stops:
                pop(begin, False)
            stack.append(_Open(opened, begin))
        closed = closes.get(kind)
        if closed is not None and any(each.kind == closed for each in stack):
            while stack[-1].kind != closed:
                pop(begin, False)
            pop(end, True)
        if kind not in leads:
            lead = None
        elif lead is None:
            lead = start
        at = end
    while len(stack) > 1:
        pop(at, False)
    return tuple(root.children)
