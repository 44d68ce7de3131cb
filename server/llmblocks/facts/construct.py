"""Facts of constructs: a call, a block, a value is judged as a whole, in however many pieces it is stored."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import reduce
from operator import is_
from typing import Final, Generic, Literal, NamedTuple, Protocol, TypeVar

from llmblocks.core.query import Query, Summary
from llmblocks.core.scan import Kind
from llmblocks.core.section import Joined, Piece, Section, Span
from llmblocks.core.tree import Node
from llmblocks.facts.problem import Problem, Stated
from llmblocks.facts.rule import NO_DATA, Rule

T = TypeVar("T")
Pieces = tuple[Piece | Node[Piece], ...]
"""Some pieces in order, as many together as can be."""


class Run(NamedTuple):
    """The pieces of a construct.

    Shape: it begins in `first` and ends in `last`, which is None if it ends with its section; `between` are the others.
    """

    first: Piece
    between: Pieces
    last: Piece | None

    @property
    def parts(self) -> Pieces:
        return (self.first, *self.between) if self.last is None else (self.first, *self.between, self.last)

    def pieces(self) -> Iterator[Piece]:
        """Its pieces in order."""
        return pieces_in(self.parts)


def pieces_in(parts: Iterable[Piece | Node[Piece]]) -> Iterator[Piece]:
    """The pieces of some parts of a section, in order."""
    for part in parts:
        if isinstance(part, Piece):
            yield part
        else:
            yield from part


Turn = Literal[0, 1, 2]
PASSES: Final = 0
ENDS: Final = 1
BEGINS: Final = 2
"""What a piece does to the constructs of a kind.

Shape: it PASSES if one that is open at its start is still open at its end, ENDS if none is open there, and BEGINS if
       one is that begins in it.
"""


def differing(before: Pieces, now: Pieces) -> tuple[Sequence[Piece], Sequence[Piece]]:
    """The pieces of a run that an edit has replaced, and those in their place, found by what is the same object."""
    while True:
        head, end = _alike(before, now), min(len(before), len(now))
        tail = min(_alike(before[::-1], now[::-1]), end - head)
        before, now = before[head : len(before) - tail], now[head : len(now) - tail]
        if len(before) != 1 or len(now) != 1 or isinstance(before[0], Piece) or isinstance(now[0], Piece):
            return [*pieces_in(before)], [*pieces_in(now)]
        before, now = before[0].children, now[0].children


def _alike(one: Pieces, other: Pieces) -> int:
    """How many of them are the same from the start."""
    return [*map(is_, one, other), False].index(False)


class _Found(NamedTuple):
    """A construct in several pieces. Shape: its problems count from its first piece, which is `at` a place."""

    at: int
    problems: Sequence[Stated]


class _Shown(NamedTuple):
    """What some neighbouring pieces show. Places count from their start.

    Shape: what is open at their start passes the parts `lead`, and ends in the piece `end`. `found` are the constructs
           between. What is open at their end begins in the piece `begun`, which is `at` a place, and goes on in
           `between`. Of a single piece, only what it does is said.
    """

    lead: Pieces = ()
    end: Piece | None = None
    found: Sequence[_Found] = ()
    begun: Piece | None = None
    between: Pieces = ()
    at: int = 0


# nothing is created for each piece around a keystroke
_PIECE: Final[Mapping[Turn, _Shown | None]] = {PASSES: None, ENDS: _Shown(), BEGINS: _Shown()}


class Constructs:
    """The constructs of a kind that do not end in the piece in which they begin.

    Shape: `turn` says what a piece does to them: those without a token of `kinds` pass. `judge` gives the problems of
           a construct, with places from the start of its first piece. It is asked again when the construct has other
           pieces; where not `remembers`, it knows itself what has not changed.
    """

    __slots__ = ("_judge", "_judged", "_kinds", "_nodes", "_remembers", "_turn")

    def __init__(
        self,
        name: str,
        turn: Callable[[Piece], Turn],
        judge: Callable[[Run], Iterable[Stated]],
        kinds: frozenset[Kind] | None = None,
        *,
        remembers: bool = True,
    ) -> None:
        self._remembers = remembers
        self._turn = turn
        self._judge = judge
        self._kinds = kinds
        self._nodes: Query[Node[Piece], _Shown | None] = Query(f"{name} in several pieces", self._read)
        # on the first piece, without that piece: it would be a cycle
        self._judged: Query[Piece, list[tuple[Sequence[object], Sequence[Stated]]]] = Query(
            f"{name} judged", lambda _: []
        )

    def in_section(self, section: Section) -> Iterator[Stated]:
        """The problems of those of a section."""
        root = section.pieces
        if (shown := self._shown(root)) is None:
            return
        for at, problems in shown.found:
            yield from [each.moved(at) for each in problems] if at else problems
        begun = root if isinstance(root, Piece) and shown is _PIECE[BEGINS] else shown.begun
        if begun:
            problems = self._problems(begun, shown.between, None)
            yield from [each.moved(shown.at) for each in problems] if shown.at else problems

    def _shown(self, part: Piece | Node[Piece]) -> _Shown | None:
        """What a part shows; None where it passes."""
        if self._kinds is not None and self._kinds.isdisjoint(part.kinds):
            return None
        if not isinstance(part, Piece):
            return self._nodes(part)
        return _PIECE[self._turn(part)]

    def _read(self, node: Node[Piece]) -> _Shown | None:
        children, kinds = node.children, self._kinds
        turning = [
            (number, shown)
            for number, child in enumerate(children)
            if (kinds is None or not kinds.isdisjoint(child.kinds)) and (shown := self._shown(child)) is not None
        ]
        if not turning:
            return None
        lead: Pieces = ()
        end: Piece | None = None
        begun: Piece | None = None
        tail: Pieces = ()
        found: list[_Found] = []
        start = passed = 0
        for index, shown in turning:
            child, between = children[index], (*tail, *children[passed:index], *shown.lead)
            _, at = node.before(index)
            last = shown.end or child
            assert isinstance(last, Piece)
            if end is None:
                lead, end = between, last
            elif begun and (problems := self._problems(begun, between, last)):
                found.append(_Found(start, problems))
            found += [_Found(at + each.at, each.problems) for each in shown.found] if at else shown.found
            begun, tail = last if shown is _PIECE[BEGINS] else shown.begun, shown.between
            start, passed = at + shown.at, index + 1
        return _Shown(lead, end, found, begun, (*tail, *children[passed:]), start)

    def _problems(self, first: Piece, between: Pieces, last: Piece | None) -> Sequence[Stated]:
        """The problems of a construct."""
        if not self._remembers:
            return (*self._judge(Run(first, between, last)),)
        known, others = self._judged(first), (*between, last)
        if known and known[0][0] == others:
            return known[0][1]
        problems = (*self._judge(Run(first, between, last)),)
        known[:] = [(others, problems)]
        return problems


class View(Protocol):
    """A construct as its format reads it. Shape: it starts at a place of the text that was read."""

    @property
    def start(self) -> int: ...


V = TypeVar("V", bound=View)


class WholeFact(Generic[V]):
    """A fact about each construct of one kind, in one piece or several, by a function that sees all of it.

    Shape: `views` are the constructs that begin in a text, in order, and `judge` gives the problems of one of them,
           with places in that text; what is much longer than `longest` is not judged. See `Constructs` for the others.
    """

    __slots__ = ("_constructs", "_judge", "_turn", "_views", "longest")

    def __init__(
        self,
        name: str,
        turn: Callable[[Piece], Turn],
        views: Callable[[Section], Sequence[V]],
        judge: Callable[[V], Iterable[Problem]],
        longest: int,
        kinds: frozenset[Kind] | None = None,
    ) -> None:
        self._turn, self._views, self._judge, self.longest = turn, views, judge, longest
        self._constructs = Constructs(name, turn, self._of_run, kinds)

    def in_piece(self, piece: Piece) -> Iterator[Problem]:
        """The problems of the constructs that begin and end in a piece."""
        if found := self._views(Joined((piece,))):
            for view in found[: len(found) - (self._turn(piece) == BEGINS)]:
                yield from self._judge(view)

    def in_section(self, section: Section) -> Iterable[Stated]:
        """The problems of those that do not end in the piece in which they begin."""
        return self._constructs.in_section(section)

    def _of_run(self, run: Run) -> Iterable[Problem]:
        if sum([part.length for part in run.between]) > self.longest:
            return ()
        begun = [view for view in self._views(Joined((*run.pieces(),))) if view.start < run.first.length]
        return self._judge(begun[-1]) if begun else ()


class Part(NamedTuple):
    """The part of a construct in one piece, places counted from the start of that.

    Shape: `inside` are the tokens that it holds there, in `text`, that of the piece. `begins` says that it begins
           there: a problem of it is told from `start` to `end`, with `data`. `ends` says that it goes on no further
           than `stop`, `closed` that its own end is there: of a block that is closed, `stop` is in front of its last
           `>`. What it begins with ends in front of `head`, at 0 where that was before; -1 where it has not ended.
    """

    text: str
    inside: tuple[Span, ...]
    begins: bool
    ends: bool
    closed: bool
    start: int = 0
    end: int = 0
    data: Mapping[str, object] = NO_DATA
    head: int = 0
    stop: int = 0


def turn_of(parts: Sequence[Part]) -> Turn:
    """What a piece with these parts does to constructs."""
    if not parts or parts[-1].ends:
        return ENDS
    return BEGINS if parts[-1].begins else PASSES


class ConstructFact(Generic[T]):
    """A fact about each construct of one kind that is closed in its section.

    Shape: `parts` gives those of the constructs in a piece, in order. `of` is what a part shows, `join` what two
           neighbouring parts show together, `is_wrong` whether a construct that shows this has the problem. Each
           construct has a token of the kind `has`. One that is in one piece and has the problem has the `sign` there.
    """

    __slots__ = ("_constructs", "_has", "_is_wrong", "_join", "_of", "_parts", "_rule", "_shown", "_sign")

    def __init__(
        self,
        rule: Rule,
        parts: Callable[[Piece], Sequence[Part]],
        of: Callable[[Part], T],
        join: Callable[[T, T], T],
        is_wrong: Callable[[T], bool],
        has: Kind,
        sign: re.Pattern[str],
    ) -> None:
        self._rule, self._parts, self._of, self._join, self._is_wrong = rule, parts, of, join, is_wrong
        self._has = has
        self._sign = sign
        self._constructs = Constructs(rule.name, lambda piece: turn_of(parts(piece)), self._judge)
        of_piece: Query[Piece, T] = Query(f"{rule.name} in a piece", lambda piece: of(parts(piece)[0]))
        self._shown: Summary[T] = Summary(f"{rule.name} in pieces", of_piece, lambda found: reduce(join, found))

    def in_piece(self, piece: Piece) -> Iterator[Problem]:
        """The problems of the constructs that begin and end in a piece."""
        for part in self._parts(piece) if self._sign.search(piece.text) else ():
            if part.begins and part.closed and self._is_wrong(self._of(part)):
                yield Problem(self._rule, part.start, part.end, part.data)

    def in_section(self, section: Section) -> Iterable[Stated]:
        """The problems of those that are in several pieces of a section."""
        return self._constructs.in_section(section) if section.is_long and self._has in section.kinds else ()

    def _judge(self, run: Run) -> Iterator[Problem]:
        begun = self._parts(run.first)[-1]
        if run.last is None or not self._parts(run.last)[0].closed:
            return
        if self._is_wrong(reduce(self._join, [self._of(begun), *map(self._shown, run.parts[1:])])):
            yield Problem(self._rule, begun.start, begun.end, begun.data)
