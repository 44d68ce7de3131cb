"""S103 missing-argument-value."""

from __future__ import annotations

from llmblocks.rules.rule import Rule
from llmblocks.stf.syntax.catalogue import MISSING_ARGUMENT_VALUE

RULE = Rule(
    kind=MISSING_ARGUMENT_VALUE,
    layer="stf",
    summary="An argument has no value.",
    why="The argument is not read. Write an empty value with quotes.",
    bad="@user name=\nHello\n",
    good="@user name=''\nHello\n",
)
