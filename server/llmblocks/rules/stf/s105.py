"""S105 duplicate-argument."""

from __future__ import annotations

from llmblocks.rules.rule import Rule
from llmblocks.stf.syntax.catalogue import DUPLICATE_ARGUMENT

RULE = Rule(
    kind=DUPLICATE_ARGUMENT,
    layer="stf",
    summary="A key is given twice.",
    why="The first one counts, and this one is lost.",
    bad="@user name=Ada name=Grace\nHello\n",
    good="@user name=Ada id=Grace\nHello\n",
)
