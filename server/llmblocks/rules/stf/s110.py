"""S110 missing-blank."""

from __future__ import annotations

from llmblocks.rules.rule import Rule
from llmblocks.stf.syntax.catalogue import MISSING_BLANK

RULE = Rule(
    kind=MISSING_BLANK,
    layer="stf",
    summary="Two arguments have nothing between them.",
    why="Both are read here. Simple Text Format asks for a blank between arguments, and others may not read them.",
    bad="@message role='user'name='Ada'\nHello\n",
    good="@message role='user' name='Ada'\nHello\n",
)
