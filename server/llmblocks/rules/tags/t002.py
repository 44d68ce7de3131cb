"""T002 stray-closing-tag."""

from __future__ import annotations

from typing import TYPE_CHECKING

from llmblocks.rules.rule import Rule
from llmblocks.tags.syntax.catalogue import STRAY_CLOSING_TAG

if TYPE_CHECKING:
    from llmblocks.core.finding import Finding
    from llmblocks.languages.ask import Ask
    from llmblocks.rules.fix import Fix


def _fix(finding: Finding, ask: Ask) -> tuple[Fix, ...]:
    from llmblocks.rules.tags.closing import removed_tag

    return removed_tag(finding, ask)


RULE = Rule(
    kind=STRAY_CLOSING_TAG,
    layer="tags",
    summary="A closing tag is outside its block.",
    why="It closes nothing, and the user sees it. Often a model began its answer inside a block, and the opening tag "
    "is missing.",
    bad="The answer is 4.\n</think>\n",
    good="<think>2 and 2</think>\nThe answer is 4.\n",
    fixed="The answer is 4.\n",
    fix=_fix,
    remedy="Removes the tag, and its line if nothing else is on it. Unsafe: the opening tag may be missing instead.",
    unsafe=True,
)
