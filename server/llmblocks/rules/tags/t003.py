"""T003 spaced-closing-tag."""

from __future__ import annotations

from llmblocks.rules.rule import Rule
from llmblocks.tags.syntax.catalogue import SPACED_CLOSING_TAG

RULE = Rule(
    kind=SPACED_CLOSING_TAG,
    layer="tags",
    summary="A closing tag has blanks in it.",
    why="Only the exact closing tag closes a block. One with blanks is content, and the block goes on.",
    bad="<think>2 and 2</think >\nThe answer is 4.</think>\n",
    good="<think>2 and 2</think>\nThe answer is 4.\n",
)
