"""T010 spaced-self-closing."""

from __future__ import annotations

from llmblocks.rules.rule import Rule
from llmblocks.tags.syntax.catalogue import SPACED_SELF_CLOSING

RULE = Rule(
    kind=SPACED_SELF_CLOSING,
    layer="tags",
    summary="A `/ >` has a blank in it.",
    why="Only `/>` closes a tag at once. With a blank in between the tag opens a block, and what follows is "
    "its content.",
    bad='<artifact id="1" / >\nThe answer is 4.\n</artifact>\n',
    good='<artifact id="1" />\nThe answer is 4.\n',
)
