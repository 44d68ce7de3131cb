"""S003 unknown-command."""

from __future__ import annotations

from llmblocks.rules.rule import Rule
from llmblocks.stf.syntax.catalogue import UNKNOWN_COMMAND

RULE = Rule(
    kind=UNKNOWN_COMMAND,
    layer="stf",
    summary="A line names a command that does not exist.",
    why="The decoder drops the line and goes on as if it were not there: what should have been a message of "
    "its own becomes part of the one above. Commands of the other dialect are unknown too.",
    bad="@user\nHello\n@assistent\nHi\n",
    good="@user\nHello\n@assistant\nHi\n",
)
