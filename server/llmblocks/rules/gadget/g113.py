"""G113 self-dependency."""

from __future__ import annotations

from typing import TYPE_CHECKING

from llmblocks.gadget.syntax.catalogue import SELF_DEPENDENCY
from llmblocks.rules.rule import Rule

if TYPE_CHECKING:
    from llmblocks.core.finding import Finding
    from llmblocks.languages.ask import Ask
    from llmblocks.rules.fix import Fix


def _fix(finding: Finding, ask: Ask) -> tuple[Fix, ...]:
    from llmblocks.rules.gadget.ids import dependency_removal

    return dependency_removal(finding, ask, "renames")


RULE = Rule(
    kind=SELF_DEPENDENCY,
    layer="gadget",
    summary="A call depends on itself.",
    why="llmist never runs a call whose only dependency is itself. If there are others, it ignores this one.",
    bad="!!!GADGET_START:Read:r1:r1\n!!!ARG:path\na.txt\n!!!GADGET_END\n",
    good="!!!GADGET_START:Read:r1\n!!!ARG:path\na.txt\n!!!GADGET_END\n",
    fixed="!!!GADGET_START:Read:r1\n!!!ARG:path\na.txt\n!!!GADGET_END\n",
    fix=_fix,
    remedy="Removes the dependency. Unsafe: another call may be meant.",
    unsafe=True,
)
