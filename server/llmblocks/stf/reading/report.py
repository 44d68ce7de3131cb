"""The findings of the decoder, made from problems."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from llmblocks.facts.message import FindingMessage
from llmblocks.facts.problem import Problem
from llmblocks.stf.syntax.problems import ErrorKind, StfFinding


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
        found.append(finding_of(Problem(rule, start, end, data, related), lines[start], message))
    return tuple(found)


def finding_of(problem: Problem, line: int, message: FindingMessage) -> StfFinding:
    """Return the finding of a problem on a line, with the words of its rule."""
    rule, start, end, data, related = problem
    reference = cast(ErrorKind, rule.reference_of(data))
    return StfFinding(rule.code, start, end, message, rule.severity, related, data=data, kind=reference, line=line)
