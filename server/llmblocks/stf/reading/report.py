"""The collected findings and events of a text."""

from __future__ import annotations

from collections.abc import Mapping

from llmblocks.core.places import Related
from llmblocks.core.problem import NO_DATA, ProblemKind
from llmblocks.stf.reading.events import Event, Found
from llmblocks.stf.syntax.arguments import Arguments
from llmblocks.stf.syntax.catalogue import reference_of
from llmblocks.stf.syntax.place import Place
from llmblocks.stf.syntax.problems import StfFinding


class Report:
    """The findings; or, if `events` is not None, the events, findings among them."""

    def __init__(self, events: list[Event] | None) -> None:
        self.findings: list[StfFinding] = []
        self.events = events

    def find(
        self,
        kind: ProblemKind,
        place: Place,
        data: Mapping[str, object] = NO_DATA,
        related: tuple[Related, ...] = (),
    ) -> None:
        """Report a problem at a place."""
        start, end, line = place
        finding = StfFinding(
            kind.code,
            start,
            end,
            kind.message(data),
            kind.severity,
            related,
            data=data,
            kind=reference_of(kind, data),
            line=line,
        )
        if self.events is None:
            self.findings.append(finding)
        else:
            self.events.append(Found(finding))

    def emit(self, event: Event) -> None:
        """Report an event."""
        if self.events is not None:
            self.events.append(event)

    def arguments(self, arguments: Arguments, by: int, line: int) -> None:
        """Report the problems of arguments in a line whose text begins at `by`."""
        for problem in (*arguments.problems, *arguments.repeated):
            related = tuple([Related(each.start + by, each.end + by, each.message) for each in problem.related])
            self.find(problem.kind, Place(problem.start + by, problem.end + by, line), problem.data, related)
