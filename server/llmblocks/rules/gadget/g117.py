"""G117 carriage-return-kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

from llmblocks.gadget.syntax.catalogue import CARRIAGE_RETURN_KEPT
from llmblocks.rules.rule import Rule

if TYPE_CHECKING:
    from llmblocks.core.finding import Finding
    from llmblocks.languages.ask import Ask
    from llmblocks.rules.fix import Fix


def _fix(_: Finding, ask: Ask) -> tuple[Fix, ...]:
    from llmblocks.rules.fix import Fix
    from llmblocks.rules.removal import removed_returns

    edits = removed_returns(ask.document)
    return (Fix("End all lines with LF", edits, "returns"),) if edits else ()


RULE = Rule(
    kind=CARRIAGE_RETURN_KEPT,
    layer="gadget",
    summary="A value contains a carriage return.",
    why="Only a newline ends a line of a call. With CRLF line ends, every line of a value keeps its carriage return, "
    "the last one included, unless the value is a number, a boolean, or the last of its call. In a chat of the `@` "
    "dialect, CRLF is a line end.",
    bad="!!!GADGET_START:Post\n!!!ARG:text\nHello\r\n!!!ARG:title\nRun\n!!!GADGET_END\n",
    good="!!!GADGET_START:Post\n!!!ARG:text\nHello\n!!!ARG:title\nRun\n!!!GADGET_END\n",
    fixed="!!!GADGET_START:Post\n!!!ARG:text\nHello\n!!!ARG:title\nRun\n!!!GADGET_END\n",
    fix=_fix,
    remedy="Ends all lines of the document with LF. Unsafe: values lose their carriage returns.",
    unsafe=True,
    whole=True,
)
