"""T001 unclosed-block."""

from __future__ import annotations

from typing import TYPE_CHECKING

from llmblocks.rules.rule import Rule
from llmblocks.tags.syntax.catalogue import UNCLOSED_BLOCK

if TYPE_CHECKING:
    from llmblocks.core.finding import Finding
    from llmblocks.languages.ask import Ask
    from llmblocks.rules.fix import Fix


def _fix(finding: Finding, ask: Ask) -> tuple[Fix, ...]:
    from llmblocks.rules.tags.closing import closed_block

    return closed_block(finding, ask)


RULE = Rule(
    kind=UNCLOSED_BLOCK,
    layer="tags",
    summary="An opening tag has no closing tag.",
    why="A block continues until its closing tag. Without one, everything after the opening tag is content of the "
    "block, and text meant for the user is not shown. In a chat, a block ends with its message.",
    bad="<think>\nLet me see.\nThe answer is 4.\n",
    good="<think>\nLet me see.\n</think>\nThe answer is 4.\n",
    fixed="<think>\nLet me see.\nThe answer is 4.\n</think>",
    fix=_fix,
    remedy="Closes the block where its content ends: at the end of the text, or of the message. Unsafe: no value "
    "changes, but only the author knows where the block should end.",
    unsafe=True,
)
