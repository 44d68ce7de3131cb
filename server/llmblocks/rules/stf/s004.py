"""S004 command-case."""

from __future__ import annotations

from typing import TYPE_CHECKING

from llmblocks.rules.rule import Rule
from llmblocks.stf.syntax.catalogue import COMMAND_CASE

if TYPE_CHECKING:
    from llmblocks.core.finding import Finding
    from llmblocks.languages.ask import Ask
    from llmblocks.rules.fix import Fix


def _fix(finding: Finding, ask: Ask) -> tuple[Fix, ...]:
    from llmblocks.rules.stf.lines import lower_case

    return lower_case(finding, ask)


RULE = Rule(
    kind=COMMAND_CASE,
    layer="stf",
    summary="A command is not in lower case.",
    why="Commands are case-sensitive. llm-msg-io stops here; llmblocks reads the command that is meant.",
    bad="@User\nHello\n",
    good="@user\nHello\n",
    fixed="@user\nHello\n",
    fix=_fix,
    remedy="Writes the command in lower case. Safe: llmblocks reads it as that command already.",
)
