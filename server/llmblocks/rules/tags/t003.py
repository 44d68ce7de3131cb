"""T003 spaced-closing-tag."""

from __future__ import annotations

from typing import TYPE_CHECKING

from llmblocks.rules.rule import Rule
from llmblocks.tags.syntax.catalogue import SPACED_CLOSING_TAG

if TYPE_CHECKING:
    from llmblocks.core.finding import Finding
    from llmblocks.languages.ask import Ask
    from llmblocks.rules.fix import Fix


def _fix(finding: Finding, ask: Ask) -> tuple[Fix, ...]:
    from llmblocks.rules.tags.closing import closing_tag

    return closing_tag(finding, ask)


RULE = Rule(
    kind=SPACED_CLOSING_TAG,
    layer="tags",
    summary="A closing tag has blanks in it.",
    why="Only the exact closing tag closes a block. One with blanks is content, and the block goes on.",
    bad="<think>2 and 2</think >\nThe answer is 4.</think>\n",
    good="<think>2 and 2</think>\nThe answer is 4.\n",
    fixed="<think>2 and 2</think>\nThe answer is 4.\n",
    fix=_fix,
    remedy="Removes the blanks, so that the block ends there. A later closing tag that would then be left over is "
    "removed. Unsafe: what stood in the block becomes visible.",
)
