"""S001 unmatched-comment-end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from llmblocks.rules.rule import Rule
from llmblocks.stf.syntax.catalogue import UNMATCHED_COMMENT_END

if TYPE_CHECKING:
    from llmblocks.core.finding import Finding
    from llmblocks.languages.ask import Ask
    from llmblocks.rules.fix import Fix


def _fix(finding: Finding, ask: Ask) -> tuple[Fix, ...]:
    from llmblocks.rules.stf.comments import removed_line

    return removed_line(finding, ask)


RULE = Rule(
    kind=UNMATCHED_COMMENT_END,
    layer="stf",
    summary="A comment block is closed that was never opened.",
    why="Simple Text Format defines this as an error, and decoding stops there. Comment blocks nest: each `@/*` needs "
    "one `@*/`, and a `*/` at the end of the opening line ends nothing.",
    bad="@user\nHello\n@*/\n",
    good="@user\nHello\n@/* a note\nto myself\n@*/\n",
    fixed="@user\nHello\n",
    fix=_fix,
    remedy="Removes the line. Safe: the line does not belong to a message.",
)
