"""S002 unterminated-comment."""

from __future__ import annotations

from llmblocks.rules.rule import Rule
from llmblocks.stf.syntax.catalogue import UNTERMINATED_COMMENT

RULE = Rule(
    kind=UNTERMINATED_COMMENT,
    layer="stf",
    summary="A comment block is begun and never ended.",
    why="Everything behind it is part of the comment, every later message too. Comment blocks nest: each `@/*` takes "
    "one `@*/` at the start of a line of its own.",
    bad="@user\nHello\n@/* a note\n@ai\nHi\n",
    good="@user\nHello\n@/* a note\n@*/\n@ai\nHi\n",
    fixed="@user\nHello\n@/* a note\n@ai\nHi\n@*/\n",
)
