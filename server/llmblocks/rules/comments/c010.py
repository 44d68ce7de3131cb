"""C010 unused-silence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from llmblocks.core.catalogue import UNUSED_SILENCE
from llmblocks.rules.rule import Rule

if TYPE_CHECKING:
    from llmblocks.core.finding import Finding
    from llmblocks.languages.ask import Ask
    from llmblocks.rules.fix import Fix


def _fix(finding: Finding, ask: Ask) -> tuple[Fix, ...]:
    from llmblocks.rules.comments.removal import removed_silence

    return removed_silence(finding, ask)


RULE = Rule(
    kind=UNUSED_SILENCE,
    layer="stf",
    summary="A comment silences a rule that finds nothing there.",
    why="The mistake has been corrected, or the comment is in the wrong place. Left behind, it would hide the next "
    "mistake of its kind. Codes of rules that the settings turn off are not reported. In custom blocks the comment is "
    "`<!-- llmblocks: ignore[T001] -->`.",
    bad="@# llmblocks: ignore[S203]\n@user id=q1\nHello\n@ai id=a1\nHi\n",
    good="@user id=q1\nHello\n@# llmblocks: ignore[S203] the same question\n@user id=q1\nHello\n",
    fixed="@user id=q1\nHello\n@ai id=a1\nHi\n",
    fix=_fix,
    remedy="Removes the comment, or the codes in it that silence nothing. Safe in Simple Text Format, where comments "
    "do not belong to messages; in custom blocks a comment is visible text.",
)
