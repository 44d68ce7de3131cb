"""G203 missing-parameter."""

from __future__ import annotations

from typing import TYPE_CHECKING

from llmblocks.gadget.syntax.catalogue import MISSING_PARAMETER
from llmblocks.rules.gadget.examples import SEARCH
from llmblocks.rules.rule import Rule

if TYPE_CHECKING:
    from llmblocks.core.finding import Finding
    from llmblocks.languages.ask import Ask
    from llmblocks.rules.fix import Fix


def _fix(finding: Finding, ask: Ask) -> tuple[Fix, ...]:
    from llmblocks.rules.gadget.schemas import inserted_arguments

    return inserted_arguments(finding, ask)


RULE = Rule(
    kind=MISSING_PARAMETER,
    layer="gadget",
    gadgets=SEARCH,
    summary="A call lacks an argument that the schema of its gadget requires.",
    why="llmist does not run the gadget and answers with `Invalid input: expected …, received undefined`. A parameter "
    "with a default is never missing.",
    bad="!!!GADGET_START:Search\n!!!ARG:limit\n3\n!!!GADGET_END\n",
    good="!!!GADGET_START:Search\n!!!ARG:query\nnotes\n!!!ARG:limit\n3\n!!!GADGET_END\n",
    fixed="!!!GADGET_START:Search\n!!!ARG:query\n\n!!!ARG:limit\n3\n!!!GADGET_END\n",
    fix=_fix,
    remedy="Inserts the argument with the first value that the schema names, or with an empty one for the author to "
    "fill in. Unsafe: the call then runs.",
    unsafe=True,
)
