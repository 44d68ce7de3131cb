"""S005 malformed-command-line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from llmblocks.rules.rule import Rule
from llmblocks.stf.syntax.catalogue import MALFORMED_COMMAND_LINE

if TYPE_CHECKING:
    from llmblocks.core.finding import Finding
    from llmblocks.languages.ask import Ask
    from llmblocks.rules.fix import Fix


def _fix(finding: Finding, ask: Ask) -> tuple[Fix, ...]:
    from llmblocks.rules.stf.lines import escaped_line

    return escaped_line(finding, ask)


RULE = Rule(
    kind=MALFORMED_COMMAND_LINE,
    layer="stf",
    summary="A line begins with the header character, but is not a command, comment or escape.",
    why="The decoder drops the line. To begin a line of text with `@`, write `@@`.",
    bad="@user\nWho is it?\n@42\n",
    good="@user\nWho is it?\n@@42\n",
    fixed="@user\nWho is it?\n@@42\n",
    fix=_fix,
    remedy="Doubles the header character, so that the line is text of its message. Unsafe: a command may be meant.",
    unsafe=True,
)
