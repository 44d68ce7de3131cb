"""G008 missing-end-marker."""

from __future__ import annotations

from typing import TYPE_CHECKING

from llmblocks.gadget.syntax.catalogue import MISSING_END_MARKER
from llmblocks.rules.rule import Rule

if TYPE_CHECKING:
    from llmblocks.core.finding import Finding
    from llmblocks.languages.ask import Ask
    from llmblocks.rules.fix import Fix


def _fix(finding: Finding, ask: Ask) -> tuple[Fix, ...]:
    from llmblocks.rules.gadget.markers import added_end

    return added_end(finding, ask)


RULE = Rule(
    kind=MISSING_END_MARKER,
    layer="gadget",
    summary="A call has no end marker.",
    why="llmist ends the call at the next call, or at the end of the text. It cannot know whether the last value is "
    "complete: text meant for the user becomes part of it, and a call that was cut off runs as it is. The last call of "
    "a document may still grow if nothing follows it, so there this is only a hint.",
    bad="!!!GADGET_START:Read:r1\n!!!ARG:path\na.txt\n!!!GADGET_START:Read:r2\n!!!ARG:path\na.txt\n!!!GADGET_END\n",
    good="!!!GADGET_START:Read:r1\n!!!ARG:path\na.txt\n!!!GADGET_END\n!!!GADGET_START:Read:r2\n!!!ARG:path\na.txt\n!!!GADGET_END\n",
    fixed="!!!GADGET_START:Read:r1\n!!!ARG:path\na.txt\n!!!GADGET_END\n!!!GADGET_START:Read:r2\n!!!ARG:path\na.txt\n!!!GADGET_END\n",
    fix=_fix,
    remedy="Writes the end marker after the last argument, which changes no value. Unsafe: a value may be incomplete.",
    unsafe=True,
)
