"""S005 malformed-command-line."""

from __future__ import annotations

from llmblocks.rules.rule import Rule
from llmblocks.stf.syntax.catalogue import MALFORMED_COMMAND_LINE

RULE = Rule(
    kind=MALFORMED_COMMAND_LINE,
    layer="stf",
    summary="A line begins with the header character, but is not a command, comment or escape.",
    why="The decoder drops the line. A line of text that begins with `@` is written with `@@`.",
    bad="@user\nWho is it?\n@42\n",
    good="@user\nWho is it?\n@@42\n",
)
