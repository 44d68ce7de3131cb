"""What a rule is: one thing that can be wrong, how it is found, and how it is explained."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from llmblocks.core.finding import Finding, Severity
from llmblocks.core.section import Section
from llmblocks.settings.values import Settings

Check = Callable[[Section, Settings], Iterable[Finding]]


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule.

    Shape: `layer` names the format that it judges, alone or inside another; `check` gives the findings of one section,
           places counted from its start, and depends on nothing but the section and the settings.
           `bad`, `good` and `fixed` are examples, and tests: `bad` has this finding and no other of this rule,
           `good` and `fixed` have none.
    """

    code: str
    name: str
    severity: Severity
    layer: str
    summary: str
    why: str
    check: Check
    bad: str
    good: str
    fixed: str | None = None
