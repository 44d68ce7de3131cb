"""T005 nested-same-tag."""

from __future__ import annotations

from llmblocks.rules.rule import Rule
from llmblocks.tags.syntax.catalogue import NESTED_SAME_TAG

RULE = Rule(
    kind=NESTED_SAME_TAG,
    layer="tags",
    summary="A tag is opened inside its own block.",
    why="Blocks do not nest: the inner tag is content, and the first closing tag ends the outer block. The text after "
    "it is visible.",
    bad="<think>2 and <think>maybe 3</think>\n",
    good="<think>2 and maybe 3</think>\n",
)
