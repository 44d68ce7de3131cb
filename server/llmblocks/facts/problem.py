"""The facts about mistakes in a text. Each format states a fact once, in the words of its rule."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple, Protocol

from llmblocks.core.places import Related
from llmblocks.facts.message import Message
from llmblocks.facts.rule import NO_DATA, Rule
from llmblocks.facts.severity import Severity

if TYPE_CHECKING:
    from llmblocks.core.scan import Kind
    from llmblocks.core.section import Section
    from llmblocks.facts.finding import Finding
    from llmblocks.facts.lines import Lines


class Problem(NamedTuple):
    """A mistake or a surprise at a place, as a format states it.

    Shape: `start` and `end`, and those of `related`, are code points from the start of what was asked about: a piece, a
           section, or a whole text. `data` is what the wording and a fix need.
    """

    kind: Rule
    start: int
    end: int
    data: Mapping[str, object] = NO_DATA
    related: tuple[Related, ...] = ()

    @property
    def kinds(self) -> tuple[Rule]:
        """See `Deferred`."""
        return (self.kind,)

    def problems(self) -> Iterable[Problem]:
        """See `Deferred`."""
        return (self,)

    @property
    def message(self) -> Message:
        """The complete message for a user."""
        return self.kind.message(self.data)

    def moved(self, by: int) -> Problem:
        """The same problem, `by` code points further on."""
        related = tuple([each.moved(by) for each in self.related])
        return self._replace(start=self.start + by, end=self.end + by, related=related)

    def finding(self, severity: Severity) -> Finding:
        """The finding for this problem, with this severity."""
        # a text without mistakes needs none
        from llmblocks.facts.finding import Finding

        return Finding(
            self.kind.code,
            self.start,
            self.end,
            self.message,
            self.kind.graded(severity, self.data) if self.kind.cases else severity,
            self.related,
            self.kind.unnecessary,
            data=self.data,
        )


class Deferred(NamedTuple):
    """Problems that are created on access: of thousands, a client is shown a few.

    Shape: `kinds` are those of all that `create` gives, in order; `start` is not behind the first of them, and near.
           They are moved `by` code points.
    """

    start: int
    kinds: Sequence[Rule]
    create: Callable[[], Iterable[Problem]]
    by: int = 0

    def moved(self, by: int) -> Deferred:
        """The same problems, so many code points further on."""
        return Deferred(self.start + by, self.kinds, self.create, self.by + by)

    def problems(self) -> Iterable[Problem]:
        """They themselves."""
        return [each.moved(self.by) for each in self.create()] if self.by else self.create()


Stated = Problem | Deferred
"""What a format states: a problem, or several."""


class Facts(NamedTuple):
    """The functions with which a format states its problems.

    Shape: `kinds` are all that it can state. `in_lines` gives those that some lines show by themselves, places counted
           from their start, `in_section` those that only the section shows, with places in that.
    """

    kinds: tuple[Rule, ...]
    in_lines: Callable[[Lines], Iterable[Stated]]
    in_section: Callable[[Section], Iterable[Stated]]


class Fact(Protocol):
    """What states problems: see `Facts`."""

    def in_lines(self, lines: Lines, /) -> Iterable[Stated]: ...
    def in_section(self, section: Section, /) -> Iterable[Stated]: ...


def facts_of(
    kinds: tuple[Rule, ...],
    in_lines: Callable[[Lines], Iterable[Stated]],
    ours: frozenset[Kind],
    goes_on: Callable[[Lines], object],
    open_facts: Callable[[], Iterable[Fact]],
) -> Facts:
    """The facts of a format.

    Shape: `in_lines` gives the problems that some lines show by themselves. Only where such lines have a token of
           `ours`, and something `goes_on` behind them, are the other facts asked.
    """

    def in_section(section: Section) -> Iterable[Stated]:
        if ours.isdisjoint(section.kinds) or not (section.is_long or goes_on(section)):
            return ()
        return chain.from_iterable([fact.in_section(section) for fact in open_facts()])

    return Facts(kinds, in_lines, in_section)


def facts_together(kinds: tuple[Rule, ...], *facts: Fact) -> Facts:
    """The facts of several as one, which can state problems of these kinds."""
    return Facts(
        kinds,
        lambda lines: chain.from_iterable([fact.in_lines(lines) for fact in facts]),
        lambda section: chain.from_iterable([fact.in_section(section) for fact in facts]),
    )


def problems_of(stated: Iterable[Stated]) -> Iterator[Problem]:
    """The problems that are stated, one by one."""
    return chain.from_iterable([each.problems() for each in stated])


def counted(stated: Iterable[Stated], wanted: Container[Rule]) -> int:
    """The number of the problems of the kinds that are wanted; none is created for it."""
    return sum(map(wanted.__contains__, chain.from_iterable([each.kinds for each in stated])))
