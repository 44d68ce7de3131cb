"""The findings and errors of decoding Simple Text Format."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, cast

from llmblocks.core.places import Elsewhere, Related
from llmblocks.facts.finding import Finding
from llmblocks.facts.message import FindingMessage
from llmblocks.facts.problem import Problem
from llmblocks.facts.severity import Severity

ErrorKind = Literal[
    "",
    "args",
    "comment",
    "end",
    "json5",
    "nested_command",
    "no_message",
    "no_role",
    "schema",
    "unexpected_data",
    "unknown_command",
    "unknown_line",
    "unterminated",
]


@dataclass(frozen=True, slots=True)
class StfFinding(Finding):
    """A finding of the decoder."""

    # the fields of every finding, because pydantic reads only a dataclass's own
    code: str
    start: int
    end: int
    message: FindingMessage
    severity: Severity = Severity.ERROR
    related: tuple[Related, ...] = ()
    unnecessary: bool = False
    deprecated: bool = False
    data: Mapping[str, object] = field(default_factory=dict, compare=False)
    elsewhere: tuple[tuple[Elsewhere, str], ...] = ()
    kind: ErrorKind = ""
    """The kind of error with which llm-msg-io stops; "json5" for S206, which it does not know."""
    line: int = 0
    """The 1-based line of `start`."""


def findings_in(text: str, problems: list[Problem]) -> tuple[StfFinding, ...]:
    """Return the findings of problems in a text, in order."""
    lines: dict[int, int] = {}
    line, counted = 1, 0
    for start in sorted({problem.start for problem in problems}):
        line += text.count("\n", counted, start)
        counted, lines[start] = start, line
    # a text may have a million mistakes, most of them identical: those share their words
    messages: dict[tuple[object, ...], FindingMessage] = {}
    found = []
    for problem in problems:
        words = (problem.rule, *problem.data.values())
        if words not in messages:
            messages[words] = problem.message
        found.append(finding_of(problem, lines[problem.start], messages[words]))
    return tuple(found)


def finding_of(problem: Problem, line: int, message: FindingMessage) -> StfFinding:
    """Return the finding of a problem on a line, with the words of its rule."""
    rule, start, end, data, related = problem
    reference = cast(ErrorKind, rule.reference_of(data))
    return StfFinding(rule.code, start, end, message, rule.severity, related, data=data, kind=reference, line=line)


class StfError(ValueError):
    """The error of `strict=True` for a text with findings.

    Attributes:
        findings: All findings.
        line: The 1-based line of the first finding.
        kind: Its kind.
    """

    def __init__(self, findings: tuple[StfFinding, ...]) -> None:
        self.findings = findings
        self.line = findings[0].line
        self.kind = findings[0].kind

    def __str__(self) -> str:
        return f"Line {self.line}: {self.findings[0].message}"


def kind_of(value: object) -> str:
    """Return the type of a value, for the message of an error."""
    return f"a value of type {type(value).__name__}"
