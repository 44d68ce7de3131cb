"""S007 unterminated-block."""

from __future__ import annotations

from llmblocks.rules.rule import Rule
from llmblocks.stf.syntax.catalogue import UNTERMINATED_BLOCK

RULE = Rule(
    kind=UNTERMINATED_BLOCK,
    layer="stf",
    summary="A block command has no `@end`.",
    why="All lines up to the end of the text are data of the block, commands and messages too.",
    bad="@user\nHello\n@raw\n{role: 'assistant', content: 'Hi'}\n",
    good="@user\nHello\n@raw\n{role: 'assistant', content: 'Hi'}\n@end\n",
)
