"""S002 unterminated-comment."""

from __future__ import annotations

from typing import TYPE_CHECKING

from llmblocks.rules.rule import Rule
from llmblocks.stf.syntax.catalogue import UNTERMINATED_COMMENT

if TYPE_CHECKING:
    from llmblocks.core.finding import Finding
    from llmblocks.languages.ask import Ask
    from llmblocks.rules.fix import Fix


def _fix(finding: Finding, ask: Ask) -> tuple[Fix, ...]:
    from llmblocks.rules.stf.comments import closed_comment

    return closed_comment(finding, ask)


RULE = Rule(
    kind=UNTERMINATED_COMMENT,
    layer="stf",
    summary="A comment block is opened and never closed.",
    why="Everything after it is part of the comment, including every later message. Comment blocks nest: each `@/*` "
    "needs one `@*/` on a line of its own.",
    bad="@user\nHello\n@/* a note\n@ai\nHi\n",
    good="@user\nHello\n@/* a note\n@*/\n@ai\nHi\n",
    fixed="@user\nHello\n@/* a note\n@*/\n@ai\nHi\n",
    fix=_fix,
    remedy="Ends the comment before the next message, or at the end of the text. Safe only if the comment contains "
    "nothing but blank lines: otherwise only the author knows where it should end.",
)
