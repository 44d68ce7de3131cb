"""Facts of constructs: a call, a block, a value is asked as a whole, in however many pieces it is stored."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from typing import Generic, NamedTuple, TypeVar

from llmblocks.core.problem import Problem, Spread
from llmblocks.core.query import Query, Summary
from llmblocks.core.rule import NO_DATA, Rule
from llmblocks.core.scan import Kind
from llmblocks.core.section import Piece, Section, Span

T = TypeVar("T")


class Part(NamedTuple):
    """The part of a construct in one piece, places counted from the start of that.

    Shape: `inside` are the tokens that it holds there, in `text`, that of the piece. `begins` says that it begins
           there: a problem of it is told from `start` to `end`, with `data`. `ends` says that it goes on no further,
           `closed` that its own end is there.
    """

    text: str
    inside: tuple[Span, ...]
    begins: bool
    ends: bool
    closed: bool
    start: int = 0
    end: int = 0
    data: Mapping[str, object] = NO_DATA


class _Open(NamedTuple):
    start: int
    end: int
    data: Mapping[str, object]


class _Shown(NamedTuple, Generic[T]):
    """What some neighbouring pieces show of the constructs in several of them, places counted from their start.

    Shape: `lead` is what they hold of the construct that is open at their start, None for none, and `ends` and `closed`
           say what becomes of it. `last` is the construct that is open at their end, `trail` what they hold of it.
    """

    lead: T | None
    ends: bool
    closed: bool
    found: tuple[Problem, ...]
    last: _Open | None
    trail: T | None
    length: int


class ConstructFact(Generic[T]):
    """A fact about each construct of one kind that is closed in its section.

    Shape: `parts` gives those of the constructs in a piece, in order. `of` is what a part shows, `join` what two
           neighbouring parts show together, `is_wrong` whether a construct that shows this has the problem. Each
           construct has a token of the kind `has`. One that is in one piece and has the problem has the `sign` there.
    """

    __slots__ = ("_has", "_is_wrong", "_join", "_of", "_parts", "_rule", "_shown", "_sign")

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
        of_piece: Query[Piece, _Shown[T]] = Query(f"{rule.name} at the ends of a piece", self._read)
        self._shown: Summary[_Shown[T]] = Summary(f"{rule.name} in several pieces", of_piece, self._joined)

    def local(self, piece: Piece) -> Iterator[Problem]:
        """The problems of the constructs that begin and end in a piece."""
        for part in self._parts(piece) if self._sign.search(piece.text) else ():
            if part.begins and part.closed and self._is_wrong(self._of(part)):
                yield Problem(self._rule, part.start, part.end, part.data)

    def across(self, section: Section, wanted: Container[Rule]) -> Iterator[Spread]:
        """The problems of those that are in several pieces of a section."""
        root = section.root
        if section.is_long and self._has in root.kinds and self._rule in wanted:
            for problem in self._shown(root).found:
                yield Spread(section.piece_at(problem.start)[0], (problem,))

    def _read(self, piece: Piece) -> _Shown[T]:
        parts = self._parts(piece)
        first, last = (parts[0], parts[-1]) if parts else (None, None)
        lead = self._of(first) if first and not first.begins else None
        ends, closed = (first.ends, first.closed) if first and lead is not None else (False, False)
        if last is None or last.ends or not last.begins:
            return _Shown(lead, ends, closed, (), None, None, piece.length)
        return _Shown(lead, ends, closed, (), _Open(last.start, last.end, last.data), self._of(last), piece.length)

    def _joined(self, shown: Iterable[_Shown[T]]) -> _Shown[T]:
        lead: T | None = None
        last: _Open | None = None
        trail: T | None = None
        ends = closed = False
        found: list[Problem] = []
        at = 0
        for each in shown:
            if each.lead is not None:
                if trail is not None:
                    trail = self._join(trail, each.lead)
                    if each.ends:
                        if each.closed and last is not None and self._is_wrong(trail):
                            found.append(Problem(self._rule, *last))
                        last = trail = None
                else:
                    lead = each.lead if lead is None else self._join(lead, each.lead)
                    ends, closed = each.ends, each.closed
            found += [problem.moved(at) for problem in each.found]
            if each.last is not None:
                last, trail = each.last._replace(start=each.last.start + at, end=each.last.end + at), each.trail
            at += each.length
        return _Shown(lead, ends, closed, (*found,), last, trail, at)
