"""C011 unknown-silence."""

from __future__ import annotations

from llmblocks.core.catalogue import UNKNOWN_SILENCE
from llmblocks.rules.rule import Rule

RULE = Rule(
    kind=UNKNOWN_SILENCE,
    layer="stf",
    summary="A comment silences a rule that does not exist, or its form is wrong.",
    why="It silences nothing, nor does a comment that only looks like one: without the colon or the brackets, "
    "in capitals, misspelt, behind other text, over several lines, in a block or in the text of a message. Name rules "
    "by code, by the beginning of a code, or by name: `ignore[S203]`, `ignore[S2]`, `ignore[duplicate-message-id]`; "
    "`ignore` alone silences all rules.",
    bad="@# llmblocks: ignore[X203]\n@user\nHello\n",
    good="@user id=q1\nHello\n@# llmblocks: ignore[S203]\n@user id=q1\nHello\n",
)
