"""S302 mixed-dialect."""

from __future__ import annotations

from llmblocks.rules.rule import Rule
from llmblocks.stf.syntax.catalogue import MIXED_DIALECT

RULE = Rule(
    kind=MIXED_DIALECT,
    layer="stf",
    summary="A line of text would be a command in the other dialect.",
    why="A document has one dialect. A command of the other is text of the message around it, so two messages become "
    "one. Only complete command lines without a blank after the first character are reported; `@tool wear` and `; "
    "user` count as prose or code.",
    bad="@user\nHello\n;assistant\nHi\n",
    good="@user\nHello\n@assistant\nHi\n",
)
