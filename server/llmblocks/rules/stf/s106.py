"""S106 invalid-json5."""

from __future__ import annotations

from llmblocks.rules.rule import Rule
from llmblocks.stf.syntax.catalogue import INVALID_JSON5

RULE = Rule(
    kind=INVALID_JSON5,
    layer="stf",
    summary="The arguments, or a string among them, are not JSON5.",
    why="None of it is read. The message is the one of llm-msg-io, with line and column inside the JSON5.",
    bad="@user {name: 'Ada'\nHello\n",
    good="@user {name: 'Ada'}\nHello\n",
)
