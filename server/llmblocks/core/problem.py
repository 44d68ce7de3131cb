"""The facts about mistakes in a text. Each format states a fact once, in the words of its catalogue."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from llmblocks.core.places import Related
from llmblocks.core.severity import Severity

if TYPE_CHECKING:
    from llmblocks.core.finding import Finding
    from llmblocks.core.section import Piece, Section


NO_DATA: Final[Mapping[str, object]] = {}


class Case(NamedTuple):
    """The different words for one of the cases of a kind of problem.

    Shape: `severity` is that of the case, where settings leave the kind its own.
    """

    wording: str
    consequence: str = ""
    severity: Severity | None = None


NO_CASES: Final[Mapping[str, Case]] = {}


class ProblemKind:
    """A row of a format's catalogue. Compared by identity.

    Shape: `wording` is the runtime's own, where it has one, and `consequence` what happens because of it and what to
           do; both name the data of a problem in braces. `severity` is the default one. A problem whose data has a
           `case` is told in the words of that one of `cases`. Text at which an `unnecessary` problem stands has no
           effect. A problem of a kind that is told `once` stands at the first of the places of a document that have it.
    """

    # no dataclass, to load `dataclasses` takes as long as to start Python
    __slots__ = ("cases", "code", "consequence", "name", "once", "severity", "unnecessary", "wording")

    def __init__(
        self,
        code: str,
        name: str,
        severity: Severity,
        wording: str,
        consequence: str = "",
        cases: Mapping[str, Case] = NO_CASES,
        unnecessary: bool = False,
        once: bool = False,
    ) -> None:
        self.code: Final = code
        self.name: Final = name
        self.severity: Final = severity
        self.wording: Final = wording
        self.consequence: Final = consequence
        self.cases: Final = cases
        self.unnecessary: Final = unnecessary
        self.once: Final = once

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.code} {self.name}>"

    def says(self, data: Mapping[str, object] = NO_DATA) -> str:
        """The wording without the consequence."""
        return self._case(data).wording.format_map(data)

    def message(self, data: Mapping[str, object] = NO_DATA) -> str:
        """The complete message for a user."""
        wording, consequence, _ = self._case(data)
        return (f"{wording} — {consequence}" if consequence else wording).format_map(data)

    def graded(self, severity: Severity, data: Mapping[str, object]) -> Severity:
        """The severity of a problem with this data, where that of the kind is to be `severity`."""
        own = self._case(data).severity
        return severity if own is None or severity is not self.severity else own

    def _case(self, data: Mapping[str, object]) -> Case:
        return self.cases[str(data["case"])] if "case" in data else Case(self.wording, self.consequence)


class Problem(NamedTuple):
    """A mistake or a surprise at a place, as a format states it.

    Shape: `start` and `end`, and those of `related`, are code points from the start of what was asked about: a piece, a
           section, or a whole text. `data` is what the wording and a fix need.
    """

    kind: ProblemKind
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
        from llmblocks.core.finding import Finding

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

    kinds: tuple[ProblemKind, ...]
    local: Callable[[Piece], Iterable[Problem]]
    across: Callable[[Section, Container[ProblemKind]], Iterable[Spread]]
    count_of: Callable[[Piece, Container[ProblemKind]], int] | None = None

    def count_local(self, piece: Piece, wanted: Container[ProblemKind]) -> int:
        """The number of the problems that a piece shows by itself, of the kinds that are wanted."""
        if self.count_of is not None:
            return self.count_of(piece, wanted)
        return counted(self.local(piece), wanted)


def counted(problems: Iterable[Problem], wanted: Container[ProblemKind]) -> int:
    """The number of the problems of the kinds that are wanted."""
    return len([problem for problem in problems if problem.kind in wanted])
