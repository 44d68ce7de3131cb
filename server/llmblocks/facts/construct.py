"""Facts of constructs: a call, a block, a value is judged as a whole, however it is stored."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import reduce
from typing import Generic, NamedTuple, Protocol, TypeVar, cast

from llmblocks.core.scan import Kind
from llmblocks.core.section import Joined, Piece, Section, Span
from llmblocks.facts.lines import Lines, of_lines
from llmblocks.facts.open_construct import BEGINS, ENDS, PASSES, Construct, ConstructKind, OpenFact, Shown, Turn
from llmblocks.facts.problem import Problem, Stated
from llmblocks.facts.rule import NO_DATA, Rule

P = TypeVar("P")
T = TypeVar("T")


class View(Protocol):
    """A construct as its format reads it. Shape: it starts at a place of the text that was read."""

    @property
    def start(self) -> int: ...


V = TypeVar("V", bound=View)


class WholeFact(Generic[V]):
    """A fact about each construct of one kind by a function that sees all of it.

    Shape: `views` are the constructs that begin in some lines, in order, and `judge` gives the problems of one of them,
           with places in these lines; what is much longer than `longest` is not judged.
    """

    __slots__ = ("_judge", "_kind", "_open", "_views", "longest")

    def __init__(
        self,
        kind: ConstructKind[P],
        views: Callable[[Lines], Sequence[V]],
        judge: Callable[[V], Iterable[Problem]],
        longest: int,
    ) -> None:
        self._kind, self._views, self._judge, self.longest = kind, views, judge, longest
        self._open = OpenFact(kind, self._of_open)

    def in_lines(self, lines: Lines) -> Iterator[Problem]:
        """The problems of the constructs that begin and end in some lines."""
        # all answers about them go with it
        if found := self._views(Joined((cast(Piece, lines),))):
            for view in found[: len(found) - (self._kind.turn(self._kind.part(lines)) == BEGINS)]:
                yield from self._judge(view)

    def in_section(self, section: Section) -> Iterable[Stated]:
        """The problems of those that do not end in the lines in which they begin."""
        return self._open.in_section(section)

    def _of_open(self, construct: Construct[P], _: object) -> Sequence[Problem]:
        together = construct.together(self.longest)
        begun = [view for view in self._views(together) if view.start < construct.first.length] if together else ()
        return (*self._judge(begun[-1]),) if begun else ()


class Part(NamedTuple):
    """The part of a construct in some lines, places counted from the start of these.

    Shape: `inside` are the tokens that it holds there, in `text`, that of the lines. `begins` says that it begins
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
    """What lines with these parts do to constructs."""
    if not parts or parts[-1].ends:
        return ENDS
    return BEGINS if parts[-1].begins else PASSES


class ConstructFact(Generic[T]):
    """A fact about each construct of one kind that is closed in its section.

    Shape: `of` is what a part shows, `join` what two neighbouring parts show together, `is_wrong` whether a construct
           that shows this has the problem. Each construct has a token of the kind `has`. The text of one that has the
           problem and is not cut has the `sign`.
    """

    __slots__ = ("_has", "_is_wrong", "_join", "_of", "_open", "_parts", "_rule", "_shown", "_sign")

    def __init__(
        self,
        rule: Rule,
        kind: ConstructKind[tuple[Part, ...]],
        of: Callable[[Part], T],
        join: Callable[[T, T], T],
        is_wrong: Callable[[T], bool],
        has: Kind,
        sign: re.Pattern[str],
    ) -> None:
        self._rule, self._parts, self._of, self._join, self._is_wrong = rule, kind.part, of, join, is_wrong
        self._has = has
        self._sign = sign
        self._open = OpenFact(kind, self._of_open)
        of_first = of_lines(f"{rule.name} in some lines", lambda lines: of(kind.part(lines)[0]))
        self._shown = Shown(f"{rule.name} in lines", of_first, lambda found: reduce(join, found))

    def in_lines(self, lines: Lines) -> Iterator[Problem]:
        """The problems of the constructs that begin and end in some lines."""
        for part in self._parts(lines) if self._sign.search(lines.text) else ():
            if part.begins and part.closed and self._is_wrong(self._of(part)):
                yield Problem(self._rule, part.start, part.end, part.data)

    def in_section(self, section: Section) -> Iterable[Stated]:
        """The problems of the others."""
        return self._open.in_section(section) if section.is_long and self._has in section.kinds else ()

    def _of_open(self, construct: Construct[tuple[Part, ...]], _: object) -> Sequence[Problem]:
        begun, end = construct.begun[-1], construct.end
        if not end or not end[0].closed:
            return ()
        is_wrong = self._is_wrong(reduce(self._join, construct.shown(self._shown), self._of(begun)))
        return (Problem(self._rule, begun.start, begun.end, begun.data),) if is_wrong else ()
