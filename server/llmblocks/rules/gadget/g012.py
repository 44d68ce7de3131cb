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
    why="Only exact markers count: llmist takes this line for text, or for part of the value in front of it. A "
    "line is reported if it differs in one character from a marker of at least three letters, or in two from one "
    "of at least six; two swapped neighbours count as one. Blanks in front of it are not allowed for.",
    bad="!!!GADGET_START:Greet\n!!!ARG:name\nAda\n!!!AGR:greeting\nHello\n!!!GADGET_END\n",
    good="!!!GADGET_START:Greet\n!!!ARG:name\nAda\n!!!ARG:greeting\nHello\n!!!GADGET_END\n",
    fixed="!!!GADGET_START:Greet\n!!!ARG:name\nAda\n!!!ARG:greeting\nHello\n!!!GADGET_END\n",
    fix=_fix,
    remedy="Writes the marker, and if that is not enough, all other misspelt markers of the call. Unsafe: text "
    "becomes a call, or part of one.",
)
