"""Constructs that go on behind the lines in which they begin: a fact of one sees its parts as they are scanned."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain, compress
from operator import attrgetter, is_, not_
from typing import Final, Generic, Literal, NamedTuple, TypeVar, cast

from llmblocks.core.query import Query, Summary
from llmblocks.core.scan import Kind
from llmblocks.core.section import Joined, Piece, Section
from llmblocks.core.symbol import Symbol
from llmblocks.core.symbol_order import PlacedSymbol
from llmblocks.core.tree import Node, length_of
from llmblocks.facts.lines import Lines
from llmblocks.facts.problem import Stated

P = TypeVar("P")
Q = TypeVar("Q")
T = TypeVar("T")
C = TypeVar("C")
_Pieces = tuple[Piece | Node[Piece], ...]
"""Some pieces in order, as many together as can be."""
_kinds_of: Callable[[Piece | Node[Piece]], frozenset[Kind]] = attrgetter("kinds")

Turn = Literal[0, 1, 2]
PASSES: Final = 0
ENDS: Final = 1
BEGINS: Final = 2
"""What some lines do to the constructs of a kind.

Shape: PASSES if one that is open at their start is still open at their end, ENDS if none is open there, and BEGINS if
       one is that begins in them.
"""


class ConstructKind(NamedTuple, Generic[P]):
    """A kind of construct, as its format declares it once.

    Shape: `part` is what some lines hold of such constructs, and `turn` says from that what they do to them. Lines
           without a token of `kinds` pass.
    """

    name: str
    part: Callable[[Lines], P]
    turn: Callable[[P], Turn]
    kinds: frozenset[Kind] | None = None


class Shown(Summary[T]):
    """What neighbouring lines of a construct show together.

    Shape: `of` is what some lines show, `join` what several show, in order: how they are grouped makes no difference.
           Those without a token of `kinds` show nothing.
    """

    def __init__(
        self,
        name: str,
        of: Callable[[Lines], T],
        join: Callable[[Iterable[T]], T],
        kinds: frozenset[Kind] | None = None,
    ) -> None:
        super().__init__(name, of, join)
        self.kinds = kinds


class Lot(NamedTuple, Generic[P]):
    """Some lines of a construct. Shape: they start `at` a place of it, and hold this `part`."""

    at: int
    lines: Lines
    part: P

    def place_of(self, symbol: Symbol) -> PlacedSymbol:
        """The place of a symbol that they state."""
        return PlacedSymbol(cast(Piece, self.lines), symbol)


def lots_in(section: Section, kind: ConstructKind[P]) -> Iterator[Lot[P]]:
    """The lines of a section that do not pass, in order."""
    kinds = kind.kinds
    for piece, before in section.where(lambda part: kinds is None or not kinds.isdisjoint(part.kinds)):
        yield Lot(before.length, piece, kind.part(piece))


class Construct(Generic[P]):
    """A construct that goes on behind the lines in which it begins. Places count from the start of these.

    Shape: `first` are these lines; `last` are those in which it ends, None if it ends with its section.
    """

    __slots__ = ("_kind", "_parts", "first", "last")

    def __init__(self, kind: ConstructKind[P], parts: _Pieces, last: Lines | None) -> None:
        self._kind, self._parts = kind, parts
        self.first: Lines = parts[0]  # type: ignore[assignment]
        self.last = last

    @property
    def begun(self) -> P:
        """Its part in the lines in which it begins."""
        return self._kind.part(self.first)

    @property
    def end(self) -> P | None:
        """Its part in the lines in which it ends, None if it ends with its section."""
        return None if self.last is None else self._kind.part(self.last)

    def lots(self, shown: Shown[bool] | frozenset[Kind] | None = None) -> Iterator[Lot[P]]:
        """Its lines in order: the first ones, and all others, those that show something, or have one of some tokens."""
        kinds, test = (shown.kinds, shown) if isinstance(shown, Shown) else (shown, None)
        yield Lot(0, self.first, self.begun)
        at, left = self.first.length, [*self._parts[:0:-1]]
        while left:
            part = left.pop()
            if (kinds is None or not kinds.isdisjoint(part.kinds)) and (test is None or test(part)):
                if isinstance(part, Node):
                    left += reversed(part.children)
                    continue
                yield Lot(at, part, self._kind.part(part))
            at += part.length

    def lines(self) -> list[Lines]:
        """All of its lines in order."""
        return [*chain.from_iterable(self._parts)]

    def backward(self) -> Iterator[tuple[Lot[P], Construct[P] | None]]:
        """Its lines, the last ones first, each with what is of it in front of them."""
        at, left = sum(map(length_of, self._parts)), [*self._parts]
        while left:
            part = left.pop()
            if isinstance(part, Node):
                left += part.children
                continue
            at -= part.length
            yield Lot(at, part, self._kind.part(part)), Construct(self._kind, (*left,), None) if left else None

    def shown(self, shown: Shown[T]) -> Iterator[T]:
        """What its lines behind the first show."""
        behind: Iterable[Piece | Node[Piece]] = self._parts[1:]
        if shown.kinds is not None:
            behind = compress(behind, map(not_, map(shown.kinds.isdisjoint, map(_kinds_of, behind))))
        return map(shown, behind)

    def together(self, longest: int) -> Lines | None:
        """All of its lines as one, with which the answers about them go; None where it is much longer than that."""
        between = self._parts[1 : len(self._parts) - (self.last is not None)]
        if sum(map(length_of, between)) > longest:
            return None
        return Joined([*chain.from_iterable(self._parts)])

    def last_of(self, kind: ConstructKind[Q]) -> tuple[int, Construct[Q]] | None:
        """The construct of a kind that begins last in it and goes on up to its end, at its place."""
        assert kind.kinds is not None, "it is found by its tokens"
        last = () if self.last is None else self._parts[-1:]
        parts = [*self._parts[: len(self._parts) - len(last)]]
        while True:
            passed = [*map(kind.kinds.isdisjoint, map(_kinds_of, parts))]
            if all(passed):
                return None
            number = len(parts) - 1 - passed[::-1].index(False)
            part = parts[number]
            if isinstance(part, Piece):
                break
            parts[number : number + 1] = part.children
        if kind.turn(kind.part(part)) != BEGINS:
            return None
        place = sum(map(length_of, parts[:number]))
        return place, Construct(kind, (*parts[number:], *last), self.last)


class Earlier(NamedTuple, Generic[P, C]):
    """What has been concluded of a construct before an edit. Shape: `changed` gives the parts that went and came."""

    concluded: C
    changed: Callable[[], tuple[list[P], list[P]]]


class _Found(NamedTuple):
    """A construct. Shape: its problems count from the piece in which it begins, which is `at` a place."""

    at: int
    problems: Sequence[Stated]


class _Seen(NamedTuple):
    """What some neighbouring pieces show. Places count from their start.

    Shape: what is open at their start passes the parts `lead`, and ends in the piece `end`. `found` are the constructs
           between. What is open at their end begins in the piece `begun`, which is `at` a place, and goes on in
           `between`. Of a single piece, only what it does is said.
    """

    lead: _Pieces = ()
    end: Piece | None = None
    found: Sequence[_Found] = ()
    begun: Piece | None = None
    between: _Pieces = ()
    at: int = 0


# nothing is created for each piece around a keystroke
_PIECE: Final = {PASSES: None, ENDS: _Seen(), BEGINS: _Seen()}


class OpenFact(Generic[P, C]):
    """A fact about each construct of a kind that goes on behind the lines in which it begins.

    Shape: `judge` is what is concluded of a construct, which is remembered until it is another, with what has been
           concluded before. `state` gives the problems from that; without it, they are what is concluded. Nothing is
           wrong in a section that does not show `only`.
    """

    __slots__ = ("_judge", "_judged", "_kind", "_kinds", "_nodes", "_only", "_part", "_state", "_turn")

    def __init__(
        self,
        kind: ConstructKind[P],
        judge: Callable[[Construct[P], Earlier[P, C] | None], C],
        state: Callable[[Construct[P], C], Iterable[Stated]] | None = None,
        only: Shown[bool] | None = None,
    ) -> None:
        self._kind, self._judge, self._state, self._only = kind, judge, state, only
        _, self._part, self._turn, self._kinds = kind
        self._nodes: Query[Node[Piece], _Seen | None] = Query(f"{kind.name} in several pieces", self._read)
        # on the first piece, without that piece: it would be a cycle
        self._judged: Query[Piece, list[tuple[_Pieces, C]]] = Query(f"{kind.name} judged", lambda _: [])

    def in_lines(self, _: Lines) -> Iterable[Stated]:
        """None: they go on behind their lines."""
        return ()

    def in_section(self, section: Section) -> Iterator[Stated]:
        """The problems of those of a section."""
        root = section.pieces
        if (self._only is not None and not self._only(root)) or (seen := self._seen(root)) is None:
            return
        for at, problems in seen.found:
            yield from [each.moved(at) for each in problems] if at else problems
        begun = root if isinstance(root, Piece) and seen is _PIECE[BEGINS] else seen.begun
        if begun:
            problems = self._problems(begun, seen.between, None)
            yield from [each.moved(seen.at) for each in problems] if seen.at else problems

    def _seen(self, part: Piece | Node[Piece]) -> _Seen | None:
        """What a part shows; None where it passes."""
        if self._kinds is not None and self._kinds.isdisjoint(part.kinds):
            return None
        return self._nodes(part) if isinstance(part, Node) else _PIECE[self._turn(self._part(part))]

    def _read(self, node: Node[Piece]) -> _Seen | None:
        children, kinds = node.children, self._kinds
        turning = [
            (number, seen)
            for number, child in enumerate(children)
            if (kinds is None or not kinds.isdisjoint(child.kinds)) and (seen := self._seen(child)) is not None
        ]
        if not turning:
            return None
        lead: _Pieces = ()
        end: Piece | None = None
        begun: Piece | None = None
        tail: _Pieces = ()
        found: list[_Found] = []
        start = passed = 0
        for index, seen in turning:
            child, between = children[index], (*tail, *children[passed:index], *seen.lead)
            _, at = node.before(index)
            last = seen.end or child
            assert isinstance(last, Piece)
            if end is None:
                lead, end = between, last
            elif begun and (problems := self._problems(begun, between, last)):
                found.append(_Found(start, problems))
            found += [_Found(at + each.at, each.problems) for each in seen.found] if at else seen.found
            begun, tail = last if seen is _PIECE[BEGINS] else seen.begun, seen.between
            start, passed = at + seen.at, index + 1
        return _Seen(lead, end, found, begun, (*tail, *children[passed:]), start)

    def _problems(self, first: Piece, between: _Pieces, last: Piece | None) -> Sequence[Stated]:
        """The problems of a construct."""
        known, others = self._judged(first), between if last is None else (*between, last)
        is_known = bool(known) and known[0][0] == others
        if is_known and self._state is None:
            return known[0][1]  # type: ignore[return-value]
        construct = Construct(self._kind, (first, *others), last)
        if not is_known:
            earlier = Earlier(known[0][1], partial(self._changed, known[0][0], others)) if known else None
            known[:] = [(others, self._judge(construct, earlier))]
        return (*self._state(construct, known[0][1]),) if self._state else known[0][1]  # type: ignore[return-value]

    def _changed(self, before: _Pieces, now: _Pieces) -> tuple[list[P], list[P]]:
        gone, come = _differing(before, now)
        return [*map(self._part, gone)], [*map(self._part, come)]


def _differing(before: _Pieces, now: _Pieces) -> tuple[Iterable[Piece], Iterable[Piece]]:
    """The pieces that an edit has replaced, and those in their place, found by what is the same object."""
    while True:
        head, end = _alike(before, now), min(len(before), len(now))
        tail = min(_alike(before[::-1], now[::-1]), end - head)
        before, now = before[head : len(before) - tail], now[head : len(now) - tail]
        if len(before) != 1 or len(now) != 1 or isinstance(before[0], Piece) or isinstance(now[0], Piece):
            return chain.from_iterable(before), chain.from_iterable(now)
        before, now = before[0].children, now[0].children


def _alike(one: _Pieces, other: _Pieces) -> int:
    """How many of them are the same from the start."""
    return [*map(is_, one, other), False].index(False)
