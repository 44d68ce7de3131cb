"""Places in a text, and the collector of problems at places."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple, Protocol

from llmblocks.core.places import Related
from llmblocks.facts.problem import Problem
from llmblocks.facts.rule import NO_DATA, Rule

MOST_RELATED: Final = 8
"""The maximum number of related places of a problem."""
BLOCK_BEGINS: Final = "the block begins here"
"""The message for the block around a command."""
STILL_OPEN: Final = "still open inside it"
"""The message for comment blocks inside an unterminated one."""


class LinePlace(NamedTuple):
    """A place, with the 1-based number of its line (0 if lines are not counted)."""

    start: int
    end: int
    line: int


class Finds(Protocol):
    """Receives the problems of a text one by one."""

    def find(
        self, rule: Rule, place: LinePlace, data: Mapping[str, object] = NO_DATA, related: tuple[Related, ...] = ()
    ) -> None: ...


class FoundProblems(list[Problem]):
    """A list of problems that can be extended."""

    def find(
        self, rule: Rule, place: LinePlace, data: Mapping[str, object] = NO_DATA, related: tuple[Related, ...] = ()
    ) -> None:
        """Append a problem."""
        self.append(Problem(rule, place.start, place.end, data, related))
