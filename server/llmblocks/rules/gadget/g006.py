"""G006 text-after-end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from llmblocks.gadget.syntax.catalogue import TEXT_AFTER_END
from llmblocks.rules.rule import Rule

if TYPE_CHECKING:
    from llmblocks.core.finding import Finding
    from llmblocks.languages.ask import Ask
    from llmblocks.rules.fix import Fix


def _fix(finding: Finding, ask: Ask) -> tuple[Fix, ...]:
    from llmblocks.rules.gadget.markers import new_line

    return new_line(finding, ask)


RULE = Rule(
    kind=TEXT_AFTER_END,
    layer="gadget",
    summary="Text follows an end marker on its line.",
    why="llmist looks for the marker, not for a whole word: it ends the call and shows the rest to the user. "
    "`!!!GADGET_ENDED` ends a call and shows `ED`.",
    bad="!!!GADGET_START:Greet\n!!!ARG:name\nAda\n!!!GADGET_ENDDone.\n",
    good="!!!GADGET_START:Greet\n!!!ARG:name\nAda\n!!!GADGET_END\nDone.\n",
    fixed="!!!GADGET_START:Greet\n!!!ARG:name\nAda\n!!!GADGET_END\nDone.\n",
    fix=_fix,
    remedy="Moves the text to a new line. Unsafe: marker and text may have been meant as one text.",
    unsafe=True,
)
