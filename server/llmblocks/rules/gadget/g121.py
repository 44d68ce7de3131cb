"""G121 ignored-pointer."""

from __future__ import annotations

from llmblocks.gadget.syntax.catalogue import IGNORED_POINTER
from llmblocks.rules.rule import Rule

RULE = Rule(
    kind=IGNORED_POINTER,
    layer="gadget",
    summary="A pointer ends in `__proto__`.",
    why="llmist runs on JavaScript, where assigning text to `__proto__` does nothing. The value is dropped, and the "
    "gadget runs without it.",
    bad="!!!GADGET_START:Open\n!!!ARG:settings/mode\nread\n!!!ARG:settings/__proto__\nx\n!!!GADGET_END\n",
    good="!!!GADGET_START:Open\n!!!ARG:settings/mode\nread\n!!!ARG:settings/proto\nx\n!!!GADGET_END\n",
)
