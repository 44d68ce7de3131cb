"""S108 unknown-argument."""

from __future__ import annotations

from typing import TYPE_CHECKING

from llmblocks.rules.rule import Rule
from llmblocks.stf.syntax.catalogue import UNKNOWN_ARGUMENT

if TYPE_CHECKING:
    from llmblocks.core.finding import Finding
    from llmblocks.languages.ask import Ask
    from llmblocks.rules.fix import Fix


def _fix(finding: Finding, ask: Ask) -> tuple[Fix, ...]:
    from llmblocks.rules.stf.arguments import nearest_key

    return nearest_key(finding, ask)


RULE = Rule(
    kind=UNKNOWN_ARGUMENT,
    layer="stf",
    summary="A command does not read one of its arguments.",
    why="The value is silently lost. Often the key is misspelt. `@embed` keeps all arguments but `url`, which its data "
    "line gives.",
    bad="@user nmae=Ada\nHello\n",
    good="@user name=Ada\nHello\n",
    fixed="@user name=Ada\nHello\n",
    fix=_fix,
    remedy="Writes the most similar key that the command reads, unless it has that argument already. Unsafe: the "
    "message gets another value.",
    unsafe=True,
)
