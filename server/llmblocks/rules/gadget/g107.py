"""G107 unsafe-pointer."""

from __future__ import annotations

from llmblocks.gadget.syntax.catalogue import UNSAFE_POINTER
from llmblocks.rules.rule import Rule

RULE = Rule(
    kind=UNSAFE_POINTER,
    layer="gadget",
    summary="A pointer leads into properties that every object of the runtime inherits.",
    why="llmist runs on JavaScript, where every object inherits names such as `constructor`. It writes the value "
    "there, outside the call, where every later call finds it. llmblocks rejects the call.",
    bad="!!!GADGET_START:Open\n!!!ARG:constructor/mode\nread\n!!!GADGET_END\n",
    good="!!!GADGET_START:Open\n!!!ARG:settings/mode\nread\n!!!GADGET_END\n",
)
