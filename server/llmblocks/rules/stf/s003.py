"""S003 unknown-command."""

from __future__ import annotations

from typing import TYPE_CHECKING

from llmblocks.rules.rule import Rule
from llmblocks.stf.syntax.catalogue import UNKNOWN_COMMAND

if TYPE_CHECKING:
    from llmblocks.core.finding import Finding
    from llmblocks.languages.ask import Ask
    from llmblocks.rules.fix import Fix


def _fix(finding: Finding, ask: Ask) -> tuple[Fix, ...]:
    from llmblocks.rules.stf.lines import nearest_command

    return nearest_command(finding, ask)


RULE = Rule(
    kind=UNKNOWN_COMMAND,
    layer="stf",
    summary="A line names a command that does not exist.",
    why="The decoder drops the line and continues: what should have been a new message becomes part of the one above. "
    "Commands of the other dialect are unknown too.",
    bad="@user\nHello\n@assistent\nHi\n",
    good="@user\nHello\n@assistant\nHi\n",
    fixed="@user\nHello\n@assistant\nHi\n",
    fix=_fix,
    remedy="Writes the most similar command: one that differs only in case, in one letter if it has at least four, or "
    "in two if it has at least six. Unsafe: one message becomes two, or changes, and only the author knows which "
    "command was meant.",
    unsafe=True,
)
