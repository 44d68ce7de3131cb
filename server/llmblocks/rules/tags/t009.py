"""T009 swallowed-opening-bracket."""

from __future__ import annotations

from llmblocks.rules.rule import Rule
from llmblocks.tags.syntax.catalogue import SWALLOWED_OPENING_BRACKET

RULE = Rule(
    kind=SWALLOWED_OPENING_BRACKET,
    layer="tags",
    summary="A tag comes right after another `<`.",
    why="A `<` that begins no registered tag consumes its name and one more character, even a `<`. The tag that begins "
    "there is then ordinary text.",
    bad="<<think>2 and 2\n",
    good="<think>2 and 2</think>\n",
)
