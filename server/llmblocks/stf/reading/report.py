"""The collected problems and events of a text, and the findings made from problems."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from llmblocks.core.places import Related
from llmblocks.facts.message import FindingMessage
from llmblocks.facts.problem import Problem
from llmblocks.facts.rule import NO_DATA, Rule
from llmblocks.stf.reading.events import Event, Found
from llmblocks.stf.syntax.arguments import Arguments
from llmblocks.stf.syntax.place import LinePlace
from llmblocks.stf.syntax.problems import ErrorKind, StfFinding


class ProblemReport:
    """Collects the problems; or, if `events` is not None, the events, findings among them."""

    def __init__(self, events: list[Event] | None) -> None:
        self.problems: list[Problem] = []
        self.events = events

    def find(
        self, rule: Rule, place: LinePlace, data: Mapping[str, object] = NO_DATA, related: tuple[Related, ...] = ()
    ) -> None:
        """Report a problem at a place."""
        problem = Problem(rule, place.start, place.end, data, related)
        if self.events is None:
            self.problems.append(problem)
        else:
            self.events.append(Found(_finding(problem, place.line, problem.message)))

    def emit(self, event: Event) -> None:
        """Report an event."""
        if self.events is not None:
            self.events.append(event)

    def arguments(self, arguments: Arguments, by: int, line: int) -> None:
        """Report the problems of arguments in a line whose text starts at `by`."""
        for problem in (*arguments.problems, *arguments.repeated):
            moved = problem.moved(by)
            self.find(moved.rule, LinePlace(moved.start, moved.end, line), moved.data, moved.related)


def findings_in(text: str, problems: list[Problem]) -> tuple[StfFinding, ...]:
    """Return the findings of problems in a text, in order.

    A text may have a million mistakes, most of them identical: those share their words.
    """
    lines: dict[int, int] = {}
    line, counted = 1, 0
    for start in sorted({problem.start for problem in problems}):
        line += text.count("\n", counted, start)
        counted = start
        lines[start] = line
    messages: dict[tuple[object, ...], tuple[FindingMessage, Mapping[str, object]]] = {}
    found = []
    for rule, start, end, data, related in problems:
        words = (rule, *data.values())
        if words not in messages:
            messages[words] = rule.message(data), data
        message, data = messages[words]
        found.append(_finding(Problem(rule, start, end, data, related), lines[start], message))
    return tuple(found)


def _finding(problem: Problem, line: int, message: FindingMessage) -> StfFinding:
    rule, start, end, data, related = problem
    reference = cast(ErrorKind, rule.reference_of(data))
    return StfFinding(rule.code, start, end, message, rule.severity, related, data=data, kind=reference, line=line)
