"""G007 marker-inside-line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from llmblocks.gadget.syntax.catalogue import MARKER_INSIDE_LINE
from llmblocks.rules.rule import Rule

if TYPE_CHECKING:
    from llmblocks.core.finding import Finding
    from llmblocks.languages.ask import Ask
    from llmblocks.rules.fix import Fix


def _fix(finding: Finding, ask: Ask) -> tuple[Fix, ...]:
    from llmblocks.rules.gadget.markers import new_line

    return new_line(finding, ask)


RULE = Rule(
    kind=MARKER_INSIDE_LINE,
    layer="gadget",
    summary="A marker does not begin its line.",
    why="llmist reads a marker anywhere in a line: it ends the value before it, or begins a call in the middle of a "
    "sentence. There is no escape. Blanks before an argument marker become part of the previous value, so a number "
    "becomes text.",
    bad="!!!GADGET_START:Greet\n!!!ARG:name\nAda !!!ARG:greeting\nHello\n!!!GADGET_END\n",
    good="!!!GADGET_START:Greet\n!!!ARG:name\nAda\n!!!ARG:greeting\nHello\n!!!GADGET_END\n",
    fixed="!!!GADGET_START:Greet\n!!!ARG:name\nAda \n!!!ARG:greeting\nHello\n!!!GADGET_END\n",
    fix=_fix,
    remedy="Moves the marker to a new line, which changes no value. Unsafe: it may be meant as text. Blanks before a "
    "marker stay: removing them would change the value.",
    unsafe=True,
)
