"""T004 misspelt-tag."""

from __future__ import annotations

from llmblocks.rules.rule import Rule
from llmblocks.tags.syntax.catalogue import MISSPELT_TAG

RULE = Rule(
    kind=MISSPELT_TAG,
    layer="tags",
    summary="A tag is nearly a registered one.",
    why="Names count to the letter, upper and lower case too. A tag that is not registered is ordinary text, "
    "and the user sees it. Told are names that differ in case, in one letter where they have at least "
    "four, or in two where they have at least six; plurals are other words.",
    bad="<Think>\n2 and 2\n",
    good="<think>\n2 and 2\n</think>\n",
)
