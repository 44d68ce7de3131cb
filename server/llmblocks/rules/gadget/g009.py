"""G009 colon-separated-dependencies."""

from __future__ import annotations

from typing import TYPE_CHECKING

from llmblocks.gadget.syntax.catalogue import COLON_SEPARATED_DEPENDENCIES
from llmblocks.rules.rule import Rule

if TYPE_CHECKING:
    from llmblocks.core.finding import Finding
    from llmblocks.languages.ask import Ask
    from llmblocks.rules.fix import Fix


def _fix(finding: Finding, ask: Ask) -> tuple[Fix, ...]:
    from llmblocks.rules.gadget.ids import comma

    return comma(finding, ask)


RULE = Rule(
    kind=COLON_SEPARATED_DEPENDENCIES,
    layer="gadget",
    summary="A colon separates two dependencies.",
    why="The format defines commas. llmist reads every further colon of a header as a comma; other programs may not.",
    bad="!!!GADGET_START:Read:r1\n!!!ARG:path\na.txt\n!!!GADGET_END\n!!!GADGET_START:Read:r2\n!!!ARG:path\na.txt\n!!!GADGET_END\n!!!GADGET_START:Read:r3:r1:r2\n!!!ARG:path\na.txt\n!!!GADGET_END\n",
    good="!!!GADGET_START:Read:r1\n!!!ARG:path\na.txt\n!!!GADGET_END\n!!!GADGET_START:Read:r2\n!!!ARG:path\na.txt\n!!!GADGET_END\n!!!GADGET_START:Read:r3:r1,r2\n!!!ARG:path\na.txt\n!!!GADGET_END\n",
    fixed="!!!GADGET_START:Read:r1\n!!!ARG:path\na.txt\n!!!GADGET_END\n!!!GADGET_START:Read:r2\n!!!ARG:path\na.txt\n!!!GADGET_END\n!!!GADGET_START:Read:r3:r1,r2\n!!!ARG:path\na.txt\n!!!GADGET_END\n",
    fix=_fix,
    remedy="Writes a comma. llmist reads the same dependencies. Safe except in chats, where the text of a message is "
    "itself a value.",
)
