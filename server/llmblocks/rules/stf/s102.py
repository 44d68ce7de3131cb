"""S102 missing-equals."""

from __future__ import annotations

from llmblocks.rules.rule import Rule
from llmblocks.stf.syntax.catalogue import MISSING_EQUALS

RULE = Rule(
    kind=MISSING_EQUALS,
    layer="stf",
    summary="An argument has no `=`.",
    why="The argument is not read. Text does not belong on the line of a command: write it on the next line.",
    bad="@user hello there\n",
    good="@user\nhello there\n",
)
