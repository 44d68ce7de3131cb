"""G005 end-outside-call."""

from __future__ import annotations

from typing import TYPE_CHECKING

from llmblocks.gadget.syntax.catalogue import END_OUTSIDE_CALL
from llmblocks.rules.rule import Rule

if TYPE_CHECKING:
    from llmblocks.core.finding import Finding
    from llmblocks.languages.ask import Ask
    from llmblocks.rules.fix import Fix


def _fix(finding: Finding, ask: Ask) -> tuple[Fix, ...]:
    from llmblocks.rules.gadget.markers import removed_marker

    return removed_marker(finding, ask)


RULE = Rule(
    kind=END_OUTSIDE_CALL,
    layer="gadget",
    summary="An end marker is outside any call.",
    why="It ends no call: llmist reads it as text, and the user sees it. Often a model ended one call twice, or the "
    "start marker of a call is missing.",
    bad="!!!GADGET_START:Greet\n!!!ARG:name\nAda\n!!!GADGET_END\n!!!GADGET_END\n",
    good="!!!GADGET_START:Greet\n!!!ARG:name\nAda\n!!!GADGET_END\n",
    fixed="!!!GADGET_START:Greet\n!!!ARG:name\nAda\n!!!GADGET_END\n",
    fix=_fix,
    remedy="Removes the marker, and its line if nothing else is on it. Unsafe: the text that the user sees changes, "
    "and only the author knows whether a call was meant.",
    unsafe=True,
)
