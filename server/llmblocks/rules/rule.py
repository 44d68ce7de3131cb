"""What a rule is: a problem that a format states, and everything that is told of it."""

from __future__ import annotations

from dataclasses import dataclass

from llmblocks.core.finding import Severity
from llmblocks.core.problem import ProblemKind


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule.

    Shape: `kind` is the problem that it tells of, with its code, name, severity and wording; `layer` names the format
           that it judges, alone or inside another. `bad`, `good` and `fixed` are examples, and tests: `bad` has this
           finding and no other, `good` and `fixed` have none.
    """

    kind: ProblemKind
    layer: str
    summary: str
    why: str
    bad: str
    good: str
    fixed: str | None = None

    @property
    def code(self) -> str:
        return self.kind.code

    @property
    def name(self) -> str:
        return self.kind.name

    @property
    def severity(self) -> Severity:
        return self.kind.severity
