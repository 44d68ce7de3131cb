"""The facts about mistakes in a text. Each format states a fact once, in the words of its rule."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple

from llmblocks.core.places import Related
from llmblocks.facts.message import FindingMessage
from llmblocks.facts.rule import NO_DATA, Rule
from llmblocks.facts.severity import Severity

if TYPE_CHECKING:
    from llmblocks.core.section import Section
    from llmblocks.facts.finding import Finding


class Problem(NamedTuple):
    """A mistake or a surprise at a place, as a format states it."""

    rule: Rule
    start: int
    """Code points, as in `related`, from the start of the section or text that was checked."""
    end: int
    data: Mapping[str, object] = NO_DATA
    """Input for the message and for a fix."""
    related: tuple[Related, ...] = ()

    @property
    def message(self) -> FindingMessage:
        """The complete message for a user."""
        return self.rule.message(self.data)

    def moved(self, by: int) -> Problem:
        """Return the same problem, `by` code points further on."""
        related = tuple([each.moved(by) for each in self.related])
        return self._replace(start=self.start + by, end=self.end + by, related=related)

    def finding(self, severity: Severity) -> Finding:
        """Return the finding for this problem, with a severity."""
        # a text without mistakes needs none
        from llmblocks.facts.finding import Finding

        return Finding(
            self.rule.code,
            self.start,
            self.end,
            self.message,
            self.rule.graded(severity, self.data) if self.rule.cases else severity,
            self.related,
            self.rule.unnecessary,
            data=self.data,
        )


class Facts(NamedTuple):
    """The facts of a format about its texts."""

    rules: tuple[Rule, ...]
    """All rules that can be broken."""
    problems: Callable[[Section], Iterable[Problem]]
    """The problems of a section, places counted from its start."""
