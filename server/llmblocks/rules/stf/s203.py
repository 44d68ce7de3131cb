"""S203 duplicate-message-id."""

from __future__ import annotations

from llmblocks.rules.rule import Rule
from llmblocks.stf.syntax.catalogue import DUPLICATE_MESSAGE_ID

RULE = Rule(
    kind=DUPLICATE_MESSAGE_ID,
    layer="stf",
    summary="Two messages have the same id.",
    why="Decoding accepts it, but a program that looks up a message by its id finds two.",
    bad="@user id=q1\nHello\n@ai id=q1\nHi\n",
    good="@user id=q1\nHello\n@ai id=a1\nHi\n",
)
