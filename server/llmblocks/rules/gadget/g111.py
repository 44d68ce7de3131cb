"""G111 unknown-dependency."""

from __future__ import annotations

from typing import TYPE_CHECKING

from llmblocks.gadget.syntax.catalogue import UNKNOWN_DEPENDENCY
from llmblocks.rules.rule import Rule

if TYPE_CHECKING:
    from llmblocks.core.finding import Finding
    from llmblocks.languages.ask import Ask
    from llmblocks.rules.fix import Fix


def _fix(finding: Finding, ask: Ask) -> tuple[Fix, ...]:
    from llmblocks.rules.gadget.ids import nearest_ids

    return nearest_ids(finding, ask)


RULE = Rule(
    kind=UNKNOWN_DEPENDENCY,
    layer="gadget",
    summary="A call depends on an id that no call has.",
    why='llmist waits for the dependency until the response is over, then skips the call with `Dependency "…" was '
    "never executed`. Calls without an id are known as `gadget_1`, `gadget_2`, and so on. Ids of earlier responses are "
    "known too: in a folder of numbered llmist logs (`0001.response`, `0002.response`, …), this rule reads the files "
    "with smaller numbers. It reports nothing if one of them is missing or unreadable, and nothing in `.request` "
    "files, which repeat calls without running them.",
    bad="!!!GADGET_START:Read:r1\n!!!ARG:path\na.txt\n!!!GADGET_END\n!!!GADGET_START:Write:w1:r2\n!!!ARG:path\na.txt\n!!!GADGET_END\n",
    good="!!!GADGET_START:Read:r1\n!!!ARG:path\na.txt\n!!!GADGET_END\n!!!GADGET_START:Write:w1:r1\n!!!ARG:path\na.txt\n!!!GADGET_END\n",
    fixed="!!!GADGET_START:Read:r1\n!!!ARG:path\na.txt\n!!!GADGET_END\n!!!GADGET_START:Write:w1:r1\n!!!ARG:path\na.txt\n!!!GADGET_END\n",
    fix=_fix,
    remedy="Writes the most similar id of an earlier call. Unsafe: only the author knows which one was meant.",
    unsafe=True,
)
