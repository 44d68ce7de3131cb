"""G109 lenient-array-index."""

from __future__ import annotations

from typing import TYPE_CHECKING

from llmblocks.gadget.syntax.catalogue import LENIENT_ARRAY_INDEX
from llmblocks.rules.rule import Rule

if TYPE_CHECKING:
    from llmblocks.core.finding import Finding
    from llmblocks.languages.ask import Ask
    from llmblocks.rules.fix import Fix


def _fix(finding: Finding, ask: Ask) -> tuple[Fix, ...]:
    from llmblocks.rules.gadget.arguments import plain_index

    return plain_index(finding)


RULE = Rule(
    kind=LENIENT_ARRAY_INDEX,
    layer="gadget",
    summary="An array index is not written as a plain number.",
    why="Inside an array, llmist reads a segment up to the first character that is not a digit: `01`, `1abc` and "
    "`1.5` are all 1. The first index of an array must be digits only.",
    bad="!!!GADGET_START:Sum\n!!!ARG:items/0\n1\n!!!ARG:items/01\n3\n!!!GADGET_END\n",
    good="!!!GADGET_START:Sum\n!!!ARG:items/0\n1\n!!!ARG:items/1\n3\n!!!GADGET_END\n",
    fixed="!!!GADGET_START:Sum\n!!!ARG:items/0\n1\n!!!ARG:items/1\n3\n!!!GADGET_END\n",
    fix=_fix,
    remedy="Writes the index that llmist reads. Unsafe: another index may be meant.",
    unsafe=True,
)
