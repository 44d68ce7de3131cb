"""S201 message-without-role."""

from __future__ import annotations

from llmblocks.rules.rule import Rule
from llmblocks.stf.syntax.catalogue import MESSAGE_WITHOUT_ROLE

RULE = Rule(
    kind=MESSAGE_WITHOUT_ROLE,
    layer="stf",
    summary="A message has no role.",
    why="`@message` takes the role of the message above it, unless it has a role of its own. There is no message above "
    "the first one, nor after `@raw` … `@end` or `;flush`. The role is then empty, and most services reject the "
    "message.",
    bad="@message\nHello\n",
    good="@message role=user\nHello\n",
)
