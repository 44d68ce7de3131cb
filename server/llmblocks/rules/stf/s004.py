"""S004 command-case."""

from __future__ import annotations

from llmblocks.rules.rule import Rule
from llmblocks.stf.syntax.catalogue import COMMAND_CASE

RULE = Rule(
    kind=COMMAND_CASE,
    layer="stf",
    summary="A command is not in lower case.",
    why="Commands are case-sensitive. llm-msg-io stops here; llmblocks takes the command that is meant.",
    bad="@User\nHello\n",
    good="@user\nHello\n",
)
