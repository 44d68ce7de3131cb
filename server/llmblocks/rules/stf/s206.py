"""S206 repeated-key."""

from __future__ import annotations

from typing import TYPE_CHECKING

from llmblocks.rules.rule import Rule
from llmblocks.stf.syntax.catalogue import REPEATED_KEY

if TYPE_CHECKING:
    from llmblocks.core.finding import Finding
    from llmblocks.languages.ask import Ask
    from llmblocks.rules.fix import Fix


def _fix(finding: Finding, ask: Ask) -> tuple[Fix, ...]:
    from llmblocks.rules.stf.arguments import removed_member

    return removed_member(finding, ask)


RULE = Rule(
    kind=REPEATED_KEY,
    layer="stf",
    summary="An object in JSON5 gives a key twice.",
    why="The last value counts, as in JavaScript, and the others are lost. That holds for arguments, for the data line "
    "of a call, and for blocks.",
    bad="@user {name: 'Ada', name: 'Grace'}\nHello\n",
    good="@user {name: 'Ada', id: 'Grace'}\nHello\n",
    fixed="@user {name: 'Grace'}\nHello\n",
    fix=_fix,
    remedy="Removes the earlier value, which has no effect. Only the author knows which one was meant.",
)
