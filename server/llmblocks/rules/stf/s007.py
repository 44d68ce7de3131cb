"""S007 unterminated-block."""

from __future__ import annotations

from typing import TYPE_CHECKING

from llmblocks.rules.rule import Rule
from llmblocks.stf.syntax.catalogue import UNTERMINATED_BLOCK

if TYPE_CHECKING:
    from llmblocks.core.finding import Finding
    from llmblocks.languages.ask import Ask
    from llmblocks.rules.fix import Fix


def _fix(finding: Finding, ask: Ask) -> tuple[Fix, ...]:
    from llmblocks.rules.stf.lines import ended_block

    return ended_block(finding, ask)


RULE = Rule(
    kind=UNTERMINATED_BLOCK,
    layer="stf",
    summary="A block command has no `@end`.",
    why="All lines up to the end of the text are data of the block, commands and messages included.",
    bad="@user\nHello\n@raw\n{role: 'assistant', content: 'Hi'}\n",
    good="@user\nHello\n@raw\n{role: 'assistant', content: 'Hi'}\n@end\n",
    fixed="@user\nHello\n@raw\n{role: 'assistant', content: 'Hi'}\n@end\n",
    fix=_fix,
    remedy="Ends the block at the end of the text. Unsafe: the content of the block is then read, and only the author "
    "knows whether it is complete.",
    unsafe=True,
)
