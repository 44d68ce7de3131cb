"""S202 invalid-raw-message."""

from __future__ import annotations

from llmblocks.rules.rule import Rule
from llmblocks.stf.syntax.catalogue import INVALID_RAW_MESSAGE

RULE = Rule(
    kind=INVALID_RAW_MESSAGE,
    layer="stf",
    summary="A raw message has the wrong shape.",
    why="The whole message is dropped. It must be an object with `role`, a string, and `content`, a string or an array "
    "of parts. The editor does not read blocks longer than 65,536 characters; decoding reads all.",
    bad="@raw\n{role: 'user', content: 5}\n@end\n",
    good="@raw\n{role: 'user', content: '5'}\n@end\n",
)
