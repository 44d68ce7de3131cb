"""G012 misspelt-marker."""

from __future__ import annotations

from typing import TYPE_CHECKING

from llmblocks.gadget.syntax.catalogue import MISSPELT_MARKER
from llmblocks.rules.rule import Rule

if TYPE_CHECKING:
    from llmblocks.core.finding import Finding
    from llmblocks.languages.ask import Ask
    from llmblocks.rules.fix import Fix


def _fix(finding: Finding, ask: Ask) -> tuple[Fix, ...]:
    from llmblocks.rules.gadget.spelling import exact_marker

    return exact_marker(finding, ask)


RULE = Rule(
    kind=MISSPELT_MARKER,
    layer="gadget",
    summary="A line begins with a misspelt marker.",
    why="Only exact markers count: llmist reads this line as text, or as part of the value before it. A line is "
    "reported if it differs from a marker of at least three letters in one character, or from a marker of at least six "
    "letters in two. Two swapped neighbours count as one difference. A line that begins with blanks is not reported.",
    bad="!!!GADGET_START:Greet\n!!!ARG:name\nAda\n!!!AGR:greeting\nHello\n!!!GADGET_END\n",
    good="!!!GADGET_START:Greet\n!!!ARG:name\nAda\n!!!ARG:greeting\nHello\n!!!GADGET_END\n",
    fixed="!!!GADGET_START:Greet\n!!!ARG:name\nAda\n!!!ARG:greeting\nHello\n!!!GADGET_END\n",
    fix=_fix,
    remedy="Writes the marker, or all misspelt markers of the call if one is not enough. Unsafe: text becomes a call, "
    "or part of one.",
    unsafe=True,
)
