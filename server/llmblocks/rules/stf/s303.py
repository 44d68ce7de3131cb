"""S303 byte-order-mark."""

from __future__ import annotations

from typing import TYPE_CHECKING

from llmblocks.rules.rule import Rule
from llmblocks.stf.syntax.catalogue import BYTE_ORDER_MARK

if TYPE_CHECKING:
    from llmblocks.core.finding import Finding
    from llmblocks.languages.ask import Ask
    from llmblocks.rules.fix import Fix


def _fix(finding: Finding, ask: Ask) -> tuple[Fix, ...]:
    from llmblocks.rules.stf.line_ends import removed_mark

    return removed_mark(finding, ask)


RULE = Rule(
    kind=BYTE_ORDER_MARK,
    layer="stf",
    summary="The text begins with a byte-order mark.",
    why="llm-msg-io reads it as part of the first line, which is then no longer a command. Some editors write the "
    "mark: save the file as UTF-8 without a signature.",
    bad="\ufeff@user\nHello\n",
    good="@user\nHello\n",
    fixed="@user\nHello\n",
    fix=_fix,
    remedy="Removes the mark. Safe: llmblocks reads the text without it.",
)
