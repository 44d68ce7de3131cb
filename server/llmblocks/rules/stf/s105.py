"""S105 duplicate-argument."""

from __future__ import annotations

from typing import TYPE_CHECKING

from llmblocks.rules.rule import Rule
from llmblocks.stf.syntax.catalogue import DUPLICATE_ARGUMENT

if TYPE_CHECKING:
    from llmblocks.core.finding import Finding
    from llmblocks.languages.ask import Ask
    from llmblocks.rules.fix import Fix


def _fix(finding: Finding, ask: Ask) -> tuple[Fix, ...]:
    from llmblocks.rules.stf.arguments import removed_argument

    return removed_argument(finding, ask)


RULE = Rule(
    kind=DUPLICATE_ARGUMENT,
    layer="stf",
    summary="An argument is given twice.",
    why="The first one counts, and this one is lost.",
    bad="@user name=Ada name=Grace\nHello\n",
    good="@user name=Ada id=Grace\nHello\n",
    fixed="@user name=Ada\nHello\n",
    fix=_fix,
    remedy="Removes the later argument, which has no effect. Safe if both values are equal; otherwise only the author "
    "knows which one was meant.",
)
