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
    summary="A closing tag contains a blank.",
    why="Only the exact closing tag closes a block. A tag with a blank is content, and the block continues.",
    bad="<think>2 and 2</think >\nThe answer is 4.</think>\n",
    good="<think>2 and 2</think>\nThe answer is 4.\n",
    fixed="<think>2 and 2</think>\nThe answer is 4.\n",
    fix=_fix,
    remedy="Removes the blanks, so that the block ends there. Also removes a later closing tag that is then left over. "
    "Unsafe: text from the block becomes visible.",
    unsafe=True,
)
