"""S108 unknown-argument."""

from __future__ import annotations

from llmblocks.rules.rule import Rule
from llmblocks.stf.syntax.catalogue import UNKNOWN_ARGUMENT

RULE = Rule(
    kind=UNKNOWN_ARGUMENT,
    layer="stf",
    summary="A command has an argument that it does not read.",
    why="The value is lost without a word: nothing fails. Often the key is misspelt. `@embed` keeps all "
    "arguments, so nothing is reported there.",
    bad="@user nmae=Ada\nHello\n",
    good="@user name=Ada\nHello\n",
)
