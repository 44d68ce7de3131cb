"""S101 invalid-argument-key."""

from __future__ import annotations

from llmblocks.rules.rule import Rule
from llmblocks.stf.syntax.catalogue import INVALID_ARGUMENT_KEY

RULE = Rule(
    kind=INVALID_ARGUMENT_KEY,
    layer="stf",
    summary="The key of an argument contains invalid characters.",
    why="The argument is not read. Keys consist of lower-case letters, digits and `_`, begin with a letter and have at "
    "least two characters.",
    bad="@user Name=Ada\nHello\n",
    good="@user name=Ada\nHello\n",
)
