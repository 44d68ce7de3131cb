"""T008 slash-ends-unquoted-value."""

from __future__ import annotations

from llmblocks.rules.rule import Rule
from llmblocks.tags.syntax.catalogue import SLASH_ENDS_UNQUOTED_VALUE

RULE = Rule(
    kind=SLASH_ENDS_UNQUOTED_VALUE,
    layer="tags",
    summary="A value without quotes has a `/` in it.",
    why="A value without quotes ends at a blank, a `/` or a `>`. Of a path or an address only the beginning is left.",
    bad="<artifact href=https://example.org/a>x</artifact>\n",
    good='<artifact href="https://example.org/a">x</artifact>\n',
)
