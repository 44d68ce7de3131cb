"""What is wrong with a host of embedded texts itself."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from llmblocks.core.finding import Finding
from llmblocks.core.problem import Problem
from llmblocks.rules.severities import severity_of
from llmblocks.settings.values import Settings


def host_findings(problems: Iterable[Problem], settings: Settings) -> Iterator[Finding]:
    """The findings for problems, as settings want them."""
    for each in problems:
        severity = severity_of(each.kind, settings)
        if severity is not None:
            yield each.finding(severity)
