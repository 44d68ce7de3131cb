"""G205 not-an-allowed-value."""

from __future__ import annotations

from typing import TYPE_CHECKING

from llmblocks.gadget.syntax.catalogue import NOT_AN_ALLOWED_VALUE
from llmblocks.rules.gadget.examples import SEARCH
from llmblocks.rules.rule import Rule

if TYPE_CHECKING:
    from llmblocks.core.finding import Finding
    from llmblocks.languages.ask import Ask
    from llmblocks.rules.fix import Fix


def _fix(finding: Finding, ask: Ask) -> tuple[Fix, ...]:
    from llmblocks.rules.gadget.schemas import replaced_value

    return replaced_value(finding, ask)


RULE = Rule(
    kind=NOT_AN_ALLOWED_VALUE,
    layer="gadget",
    gadgets=SEARCH,
    summary="The schema of a gadget does not allow a value.",
    why="llmist does not run the gadget and answers with `Invalid option: expected one of …`. Case matters, and so "
    "does white space around a value.",
    bad="!!!GADGET_START:Search\n!!!ARG:query\nnotes\n!!!ARG:order\nnewst\n!!!GADGET_END\n",
    good="!!!GADGET_START:Search\n!!!ARG:query\nnotes\n!!!ARG:order\nnewest\n!!!GADGET_END\n",
    fixed="!!!GADGET_START:Search\n!!!ARG:query\nnotes\n!!!ARG:order\nnewest\n!!!GADGET_END\n",
    fix=_fix,
    remedy="Replaces the value with an allowed one, the most similar first. Unsafe: only the author knows which one "
    "was meant.",
    unsafe=True,
)
