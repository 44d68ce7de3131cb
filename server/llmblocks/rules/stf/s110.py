"""S110 missing-blank."""

from __future__ import annotations

from typing import TYPE_CHECKING

from llmblocks.rules.rule import Rule
from llmblocks.stf.syntax.catalogue import MISSING_BLANK

if TYPE_CHECKING:
    from llmblocks.core.finding import Finding
    from llmblocks.languages.ask import Ask
    from llmblocks.rules.fix import Fix


def _fix(finding: Finding, ask: Ask) -> tuple[Fix, ...]:
    from llmblocks.rules.stf.arguments import added_blank

    return added_blank(finding, ask)


RULE = Rule(
    kind=MISSING_BLANK,
    layer="stf",
    summary="Nothing separates two arguments.",
    why="llmblocks reads both. Simple Text Format requires a blank between arguments, and other programs may not read "
    "them.",
    bad="@message role='user'name='Ada'\nHello\n",
    good="@message role='user' name='Ada'\nHello\n",
    fixed="@message role='user' name='Ada'\nHello\n",
    fix=_fix,
    remedy="Adds a blank. Safe: both arguments are read already.",
)
