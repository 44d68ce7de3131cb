"""G108 empty-pointer-segment."""

from __future__ import annotations

from typing import TYPE_CHECKING

from llmblocks.gadget.syntax.catalogue import EMPTY_POINTER_SEGMENT
from llmblocks.rules.rule import Rule

if TYPE_CHECKING:
    from llmblocks.core.finding import Finding
    from llmblocks.languages.ask import Ask
    from llmblocks.rules.fix import Fix


def _fix(finding: Finding, ask: Ask) -> tuple[Fix, ...]:
    from llmblocks.rules.gadget.arguments import without_slashes

    return without_slashes(finding)


RULE = Rule(
    kind=EMPTY_POINTER_SEGMENT,
    layer="gadget",
    summary="A pointer has an empty segment.",
    why="A `/` at the start or end of a pointer, or a doubled `/`, creates a property with an empty name: `a//b` is "
    "`b` inside a nameless property of `a`.",
    bad="!!!GADGET_START:Open\n!!!ARG:/file\na.txt\n!!!GADGET_END\n",
    good="!!!GADGET_START:Open\n!!!ARG:file\na.txt\n!!!GADGET_END\n",
    fixed="!!!GADGET_START:Open\n!!!ARG:file\na.txt\n!!!GADGET_END\n",
    fix=_fix,
    remedy="Removes the slashes. Unsafe: the value moves to another place, and a name may be missing.",
    unsafe=True,
)
