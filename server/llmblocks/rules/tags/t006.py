"""T006 angle-bracket-in-attribute."""

from __future__ import annotations

from llmblocks.rules.rule import Rule
from llmblocks.tags.syntax.catalogue import ANGLE_BRACKET_IN_ATTRIBUTE

RULE = Rule(
    kind=ANGLE_BRACKET_IN_ATTRIBUTE,
    layer="tags",
    summary="The value of an attribute contains `>`.",
    why="The first `>` ends the tag, even inside quotes. The value is cut short, and the rest of the tag is content of "
    "the block, or visible text behind `/>`.",
    bad='<artifact title="a > b">x</artifact>\n',
    good='<artifact title="a over b">x</artifact>\n',
)
