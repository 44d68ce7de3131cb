"""S302 mixed-dialect."""

from __future__ import annotations

from llmblocks.rules.rule import Rule
from llmblocks.stf.syntax.catalogue import MIXED_DIALECT

RULE = Rule(
    kind=MIXED_DIALECT,
    layer="stf",
    summary="A line of text would be a command in the other dialect.",
    why="A document is in one dialect. A command of the other is text of the message around it: two messages "
    "become one. Only whole command lines are reported, without a blank behind the first character; "
    "`@tool wear` and `; user` are taken for prose or code.",
    bad="@user\nHello\n;assistant\nHi\n",
    good="@user\nHello\n@assistant\nHi\n",
)
