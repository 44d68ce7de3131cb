"""T002 stray-closing-tag."""

from __future__ import annotations

from llmblocks.rules.rule import Rule
from llmblocks.tags.syntax.catalogue import STRAY_CLOSING_TAG

RULE = Rule(
    kind=STRAY_CLOSING_TAG,
    layer="tags",
    summary="A closing tag stands outside its block.",
    why="It closes nothing, and the user sees it. Often a model has begun its answer inside a block, and the "
    "opening tag is missing.",
    bad="The answer is 4.\n</think>\n",
    good="<think>2 and 2</think>\nThe answer is 4.\n",
)
