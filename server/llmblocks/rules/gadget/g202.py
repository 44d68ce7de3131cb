"""G202 unknown-parameter."""

from __future__ import annotations

from typing import TYPE_CHECKING

from llmblocks.gadget.syntax.catalogue import UNKNOWN_PARAMETER
from llmblocks.rules.gadget.examples import SEARCH
from llmblocks.rules.rule import Rule

if TYPE_CHECKING:
    from llmblocks.core.finding import Finding
    from llmblocks.languages.ask import Ask
    from llmblocks.rules.fix import Fix


def _fix(finding: Finding, ask: Ask) -> tuple[Fix, ...]:
    from llmblocks.rules.gadget.schemas import renamed_parameter

    return renamed_parameter(finding, ask)


RULE = Rule(
    kind=UNKNOWN_PARAMETER,
    layer="gadget",
    gadgets=SEARCH,
    summary="The schema of a gadget has no parameter for an argument.",
    why="llmist silently drops the value and runs the gadget, which then uses a default or nothing. A schema that "
    "allows other properties, with `additionalProperties`, has no unknown parameters.",
    bad="!!!GADGET_START:Search\n!!!ARG:query\nnotes\n!!!ARG:limt\n3\n!!!GADGET_END\n",
    good="!!!GADGET_START:Search\n!!!ARG:query\nnotes\n!!!ARG:limit\n3\n!!!GADGET_END\n",
    fixed="!!!GADGET_START:Search\n!!!ARG:query\nnotes\n!!!ARG:limit\n3\n!!!GADGET_END\n",
    fix=_fix,
    remedy="Renames the parameter to the most similar one. Unsafe: only the author knows which one was meant.",
    unsafe=True,
)
