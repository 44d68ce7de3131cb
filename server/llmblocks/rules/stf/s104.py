"""S104 unterminated-string."""

from __future__ import annotations

from typing import TYPE_CHECKING

from llmblocks.rules.rule import Rule
from llmblocks.stf.syntax.catalogue import UNTERMINATED_STRING

if TYPE_CHECKING:
    from llmblocks.core.finding import Finding
    from llmblocks.languages.ask import Ask
    from llmblocks.rules.fix import Fix


def _fix(finding: Finding, ask: Ask) -> tuple[Fix, ...]:
    from llmblocks.rules.stf.arguments import closed_string

    return closed_string(finding, ask)


RULE = Rule(
    kind=UNTERMINATED_STRING,
    layer="stf",
    summary="A quote is opened and not closed on the same line.",
    why="The rest of the line is not read: neither this value nor the arguments after it.",
    bad="@user name='Ada id=1\nHello\n",
    good="@user name='Ada' id=1\nHello\n",
    fixed="@user name='Ada' id=1\nHello\n",
    fix=_fix,
    remedy="Closes the quote before the next `key=`, or else at the end of the line. Unsafe: only the author knows "
    "where the value ends.",
    unsafe=True,
)
