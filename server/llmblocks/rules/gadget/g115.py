"""G115 closing-fence-lost."""

from __future__ import annotations

from typing import TYPE_CHECKING

from llmblocks.gadget.syntax.catalogue import CLOSING_FENCE_LOST
from llmblocks.rules.rule import Rule

if TYPE_CHECKING:
    from llmblocks.core.finding import Finding
    from llmblocks.languages.ask import Ask
    from llmblocks.rules.fix import Fix


def _fix(finding: Finding, ask: Ask) -> tuple[Fix, ...]:
    from llmblocks.rules.gadget.arguments import second_fence

    return second_fence(finding)


RULE = Rule(
    kind=CLOSING_FENCE_LOST,
    layer="gadget",
    summary="The last value of a call loses its closing code fence.",
    why="llmist removes a code fence around all arguments of a call without checking where the fence begins: it always "
    "removes three backticks at the end of the last value. The gadget gets an opening fence without a closing one, or "
    "a sentence that ends in backticks without them. A fence that begins before the first argument is not reported.",
    bad="!!!GADGET_START:Post\n!!!ARG:text\n```js\nrun();\n```\n!!!GADGET_END\n",
    good="!!!GADGET_START:Post\n!!!ARG:text\n```js\nrun();\n```\n!!!ARG:title\nRun\n!!!GADGET_END\n",
    fixed="!!!GADGET_START:Post\n!!!ARG:text\n```js\nrun();\n```\n```\n!!!GADGET_END\n",
    fix=_fix,
    remedy="Writes the fence a second time; llmist removes only one. Unsafe: the value changes.",
    unsafe=True,
)
