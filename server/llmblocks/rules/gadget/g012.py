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
    summary="A line begins with what is nearly a marker.",
    why="llmist compares markers to the letter: this is text, or part of the value in front of it. Told is what "
    "differs in one character from a marker of at least three letters, or in two from one of at least six; two "
    "neighbours that changed places count once. Only the beginning of a line counts, without blanks in front of "
    "it.",
    bad="!!!GADGET_START:Greet\n!!!ARG:name\nAda\n!!!AGR:greeting\nHello\n!!!GADGET_END\n",
    good="!!!GADGET_START:Greet\n!!!ARG:name\nAda\n!!!ARG:greeting\nHello\n!!!GADGET_END\n",
    fixed="!!!GADGET_START:Greet\n!!!ARG:name\nAda\n!!!ARG:greeting\nHello\n!!!GADGET_END\n",
    fix=_fix,
    remedy="Writes the marker; where that is not enough, all that are nearly markers of the call. Unsafe: text "
    "becomes a call, or a part of one.",
)
