"""S008 missing-data-line."""

from __future__ import annotations

from llmblocks.rules.rule import Rule
from llmblocks.stf.syntax.catalogue import MISSING_DATA_LINE

RULE = Rule(
    kind=MISSING_DATA_LINE,
    layer="stf",
    summary="A line command has no data line.",
    why="`@call` and `@embed` apply to the next line. Without it they do nothing. Comments are allowed between the "
    "two, commands are not.",
    bad="@ai\nLet me look.\n@call name=look\n@user\nDo!\n",
    good="@ai\nLet me look.\n@call name=look\n{}\n@user\nDo!\n",
)
