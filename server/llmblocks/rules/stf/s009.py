"""S009 data-before-message."""

from __future__ import annotations

from llmblocks.rules.rule import Rule
from llmblocks.stf.syntax.catalogue import DATA_BEFORE_MESSAGE

RULE = Rule(
    kind=DATA_BEFORE_MESSAGE,
    layer="stf",
    summary="Text stands outside of every message.",
    why="It belongs to nobody, and is lost: before the first message, and behind `@raw` … `@end` and "
    "`;flush`. Only the first such line is reported. With a default role in the settings, it is a message"
    " of that role, and nothing is reported.",
    bad="Hello\n@ai\nHi\n",
    good="@user\nHello\n@ai\nHi\n",
)
