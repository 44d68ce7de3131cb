"""S006 unexpected-end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from llmblocks.rules.rule import Rule
from llmblocks.stf.syntax.catalogue import UNEXPECTED_END

if TYPE_CHECKING:
    from llmblocks.core.finding import Finding
    from llmblocks.languages.ask import Ask
    from llmblocks.rules.fix import Fix


def _fix(finding: Finding, ask: Ask) -> tuple[Fix, ...]:
    from llmblocks.rules.stf.lines import removed_end

    return removed_end(finding, ask)


RULE = Rule(
    kind=UNEXPECTED_END,
    layer="stf",
    summary="An `@end` has no block to end.",
    why="Only block commands, such as `@raw`, have an end. A message ends where the next one begins.",
    bad="@user\nHello\n@end\n",
    good="@raw\n{role: 'user', content: 'Hello'}\n@end\n",
    fixed="@user\nHello\n",
    fix=_fix,
    remedy="Removes the line. Safe, unless an unknown command is above it in the message: the line may end the block "
    "of that command.",
)
