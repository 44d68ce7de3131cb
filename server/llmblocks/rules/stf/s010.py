"""S010 command-in-block."""

from __future__ import annotations

from llmblocks.rules.rule import Rule
from llmblocks.stf.syntax.catalogue import COMMAND_IN_BLOCK

RULE = Rule(
    kind=COMMAND_IN_BLOCK,
    layer="stf",
    summary="A command comes between a block command and its `@end`.",
    why="Only comments are allowed there. A command that begins a message ends the block; any other is dropped. Often "
    "the `@end` is missing.",
    bad="@raw\n@call name=look\n{role: 'user', content: 'Hi'}\n@end\n",
    good="@raw\n{role: 'user', content: 'Hi'}\n@end\n@ai\n@call name=look\n{}\n",
)
