"""G003 marker-case."""

from __future__ import annotations

from typing import TYPE_CHECKING

from llmblocks.gadget.syntax.catalogue import MARKER_CASE
from llmblocks.rules.rule import Rule

if TYPE_CHECKING:
    from llmblocks.core.finding import Finding
    from llmblocks.languages.ask import Ask
    from llmblocks.rules.fix import Fix


def _fix(finding: Finding, ask: Ask) -> tuple[Fix, ...]:
    from llmblocks.rules.gadget.spelling import exact_marker

    return exact_marker(finding, ask)


RULE = Rule(
    kind=MARKER_CASE,
    layer="gadget",
    summary="A line would begin with a marker but for its case.",
    why="llmist compares markers to the letter: this is text, or part of the value in front of it.",
    bad="!!!GADGET_START:Greet\n!!!ARG:name\nAda\n!!!arg:greeting\nHello\n!!!GADGET_END\n",
    good="!!!GADGET_START:Greet\n!!!ARG:name\nAda\n!!!ARG:greeting\nHello\n!!!GADGET_END\n",
    fixed="!!!GADGET_START:Greet\n!!!ARG:name\nAda\n!!!ARG:greeting\nHello\n!!!GADGET_END\n",
    fix=_fix,
    remedy="Writes the marker; where that is not enough, all that are nearly markers of the call. Unsafe: text "
    "becomes a call, or a part of one.",
)
