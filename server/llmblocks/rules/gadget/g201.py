"""G201 unknown-gadget."""

from __future__ import annotations

from typing import TYPE_CHECKING

from llmblocks.gadget.syntax.catalogue import UNKNOWN_GADGET
from llmblocks.rules.gadget.examples import SEARCH
from llmblocks.rules.rule import Rule

if TYPE_CHECKING:
    from llmblocks.core.finding import Finding
    from llmblocks.languages.ask import Ask
    from llmblocks.rules.fix import Fix


def _fix(finding: Finding, ask: Ask) -> tuple[Fix, ...]:
    from llmblocks.rules.gadget.schemas import renamed_gadget

    return renamed_gadget(finding, ask)


RULE = Rule(
    kind=UNKNOWN_GADGET,
    layer="gadget",
    gadgets=SEARCH,
    summary="A call names a gadget that no schema defines.",
    why="llmist finds no gadget with this name, even if case is ignored, and answers the call with `Error: Gadget '…' "
    "not found.` The rules about schemas apply as soon as there is one schema; see [schemas](../schemas.md).",
    bad="!!!GADGET_START:Serach\n!!!ARG:query\nnotes\n!!!GADGET_END\n",
    good="!!!GADGET_START:Search\n!!!ARG:query\nnotes\n!!!GADGET_END\n",
    fixed="!!!GADGET_START:Search\n!!!ARG:query\nnotes\n!!!GADGET_END\n",
    fix=_fix,
    remedy="Renames the gadget to the most similar one. Unsafe: only the author knows which one was meant.",
    unsafe=True,
)
