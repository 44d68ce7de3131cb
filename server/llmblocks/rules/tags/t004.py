"""T004 misspelt-tag."""

from __future__ import annotations

from typing import TYPE_CHECKING

from llmblocks.rules.rule import Rule
from llmblocks.tags.syntax.catalogue import MISSPELT_TAG

if TYPE_CHECKING:
    from llmblocks.core.finding import Finding
    from llmblocks.languages.ask import Ask
    from llmblocks.rules.fix import Fix


def _fix(finding: Finding, ask: Ask) -> tuple[Fix, ...]:
    from llmblocks.rules.tags.closing import registered_name

    return registered_name(finding, ask)


RULE = Rule(
    kind=MISSPELT_TAG,
    layer="tags",
    summary="A tag is nearly a registered one.",
    why="Names count to the letter, upper and lower case too. A tag that is not registered is ordinary text, "
    "and the user sees it. Told are names that differ in case, in one letter where they have at least "
    "four, or in two where they have at least six; plurals are other words.",
    bad="<Think>\n2 and 2\n</Think>\n",
    good="<think>\n2 and 2\n</think>\n",
    fixed="<think>\n2 and 2\n</think>\n",
    fix=_fix,
    remedy="Writes the registered name, in both tags of a block if both are misspelt. Unsafe: a word may be meant as "
    "text.",
)
