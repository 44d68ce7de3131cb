"""G110 duplicate-invocation-id."""

from __future__ import annotations

from typing import TYPE_CHECKING

from llmblocks.gadget.syntax.catalogue import DUPLICATE_INVOCATION_ID
from llmblocks.rules.rule import Rule

if TYPE_CHECKING:
    from llmblocks.core.finding import Finding
    from llmblocks.languages.ask import Ask
    from llmblocks.rules.fix import Fix


def _fix(finding: Finding, ask: Ask) -> tuple[Fix, ...]:
    from llmblocks.rules.gadget.ids import fresh_id

    return fresh_id(finding, ask)


RULE = Rule(
    kind=DUPLICATE_INVOCATION_ID,
    layer="gadget",
    summary="Two calls of one response have the same invocation id.",
    why="llmist stores results and waiting calls by id: the later call replaces the earlier one. A call without an id "
    "has one, too: llmist numbers such calls `gadget_1`, `gadget_2`, and so on.",
    bad="!!!GADGET_START:Read:r1\n!!!ARG:path\na.txt\n!!!GADGET_END\n!!!GADGET_START:Write:r1\n!!!ARG:path\na.txt\n!!!GADGET_END\n",
    good="!!!GADGET_START:Read:r1\n!!!ARG:path\na.txt\n!!!GADGET_END\n!!!GADGET_START:Write:w1\n!!!ARG:path\na.txt\n!!!GADGET_END\n",
    fixed="!!!GADGET_START:Read:r1\n!!!ARG:path\na.txt\n!!!GADGET_END\n!!!GADGET_START:Write:r2\n!!!ARG:path\na.txt\n!!!GADGET_END\n",
    fix=_fix,
    remedy="Gives the later call an unused id. Unsafe: a dependency may mean this call.",
    unsafe=True,
)
