"""S109 stray-quote."""

from __future__ import annotations

from typing import TYPE_CHECKING

from llmblocks.rules.rule import Rule
from llmblocks.stf.syntax.catalogue import STRAY_QUOTE

if TYPE_CHECKING:
    from llmblocks.core.finding import Finding
    from llmblocks.languages.ask import Ask
    from llmblocks.rules.fix import Fix


def _fix(finding: Finding, ask: Ask) -> tuple[Fix, ...]:
    from llmblocks.rules.stf.arguments import quoted_value

    return quoted_value(finding, ask)


RULE = Rule(
    kind=STRAY_QUOTE,
    layer="stf",
    summary="An unquoted value ends with a quote.",
    why="The value is not read. Usually the opening quote is missing.",
    bad="@user name=Ada'\nHello\n",
    good="@user name='Ada'\nHello\n",
    fixed="@user name='Ada'\nHello\n",
    fix=_fix,
    remedy="Puts the value in quotes. Unsafe: the message gets another value, and the quote may be part of it.",
    unsafe=True,
)
