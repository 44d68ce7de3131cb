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
    summary="A line begins with a marker in the wrong case.",
    why="Markers are case-sensitive: llmist reads this line as text, or as part of the value before it.",
    bad="!!!GADGET_START:Greet\n!!!ARG:name\nAda\n!!!arg:greeting\nHello\n!!!GADGET_END\n",
    good="!!!GADGET_START:Greet\n!!!ARG:name\nAda\n!!!ARG:greeting\nHello\n!!!GADGET_END\n",
    fixed="!!!GADGET_START:Greet\n!!!ARG:name\nAda\n!!!ARG:greeting\nHello\n!!!GADGET_END\n",
    fix=_fix,
    remedy="Writes the marker, or all misspelt markers of the call if one is not enough. Unsafe: text becomes a call, "
    "or part of one.",
    unsafe=True,
)
