"""S109 stray-quote."""

from __future__ import annotations

from llmblocks.rules.rule import Rule
from llmblocks.stf.syntax.catalogue import STRAY_QUOTE

RULE = Rule(
    kind=STRAY_QUOTE,
    layer="stf",
    summary="A value without quotes ends in one.",
    why="It is not read: the opening quote was probably forgotten.",
    bad="@user name=Ada'\nHello\n",
    good="@user name='Ada'\nHello\n",
)
