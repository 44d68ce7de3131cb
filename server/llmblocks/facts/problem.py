"""The facts about mistakes in a text. Each format states a fact once, in the words of its rule."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from llmblocks.core.places import Related
from llmblocks.facts.rule import NO_DATA, Rule
from llmblocks.facts.severity import Severity

if TYPE_CHECKING:
    from llmblocks.core.section import Piece, Section
    from llmblocks.facts.finding import Finding


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
    def message(self) -> str:
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


class Spread(NamedTuple):
    """Problems in one piece of a section that only the section shows. Places count from the start of the section."""

    piece: int
    problems: Sequence[Problem]


class Facts(NamedTuple):
    """The functions with which a format states its problems.

    Shape: `kinds` are all that it can state. `local` gives those that a piece shows by itself, places counted from its
           start; `across` those that only the section shows, of the kinds that are wanted, in the order of the pieces.
           `count_of` is the number of the `local` ones of the kinds that are wanted, for a format that need not create
           all of them to know it.
    """

    kinds: tuple[Rule, ...]
    local: Callable[[Piece], Iterable[Problem]]
    across: Callable[[Section, Container[Rule]], Iterable[Spread]]
    count_of: Callable[[Piece, Container[Rule]], int] | None = None

    def count_local(self, piece: Piece, wanted: Container[Rule]) -> int:
        """The number of the problems that a piece shows by itself, of the kinds that are wanted."""
        if self.count_of is not None:
            return self.count_of(piece, wanted)
        return counted(self.local(piece), wanted)


def counted(problems: Iterable[Problem], wanted: Container[Rule]) -> int:
    """The number of the problems of the kinds that are wanted."""
    return len([problem for problem in problems if problem.kind in wanted])
