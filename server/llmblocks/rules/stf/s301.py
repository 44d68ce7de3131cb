"""S301 carriage-return."""

from __future__ import annotations

from typing import TYPE_CHECKING

from llmblocks.rules.rule import Rule
from llmblocks.stf.syntax.catalogue import CARRIAGE_RETURN

if TYPE_CHECKING:
    from llmblocks.core.finding import Finding
    from llmblocks.languages.ask import Ask
    from llmblocks.rules.fix import Fix


def _fix(finding: Finding, ask: Ask) -> tuple[Fix, ...]:
    from llmblocks.rules.stf.line_ends import converted

    return converted(finding, ask)


RULE = Rule(
    kind=CARRIAGE_RETURN,
    layer="stf",
    summary="Lines end with CRLF.",
    why="The `@` dialect reads both CRLF and LF, and recommends LF: tools that split at LF keep a `\\r` at the end of "
    "each line. In the `;` dialect the `\\r` belongs to the line, so a command line has it in its last argument, and "
    "this is an error. Only the first line end of a document is reported.",
    bad="@user\r\nHello\r\n",
    good="@user\nHello\n",
    fixed="@user\nHello\n",
    fix=_fix,
    remedy="Ends all lines of the document with LF. In the `@` dialect no value changes; in the `;` dialect values "
    "lose their carriage returns. Unsafe: your editor, or git, may be set to write CRLF again.",
    unsafe=True,
    whole=True,
)
