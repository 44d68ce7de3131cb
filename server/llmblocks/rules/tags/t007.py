"""T007 duplicate-attribute."""

from __future__ import annotations

from llmblocks.rules.rule import Rule
from llmblocks.tags.syntax.catalogue import DUPLICATE_ATTRIBUTE

RULE = Rule(
    kind=DUPLICATE_ATTRIBUTE,
    layer="tags",
    summary="An attribute is given twice.",
    why="The last one counts, and nothing is said of the others.",
    bad='<artifact id="1" id="2">x</artifact>\n',
    good='<artifact id="2">x</artifact>\n',
)
