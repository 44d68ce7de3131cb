"""G116 trailing-whitespace-lost."""

from __future__ import annotations

from llmblocks.gadget.syntax.catalogue import TRAILING_WHITESPACE_LOST
from llmblocks.rules.rule import Rule

RULE = Rule(
    kind=TRAILING_WHITESPACE_LOST,
    layer="gadget",
    summary="White space at the end of the last value of a call is lost.",
    why="llmist trims the end of a call, and so the last value, but no other value. Not reported if the value is the "
    "same without the white space, such as a number, or if the call has no end marker.",
    bad="!!!GADGET_START:Post\n!!!ARG:text\nHello  \n!!!GADGET_END\n",
    good="!!!GADGET_START:Post\n!!!ARG:text\nHello  \n!!!ARG:title\nRun\n!!!GADGET_END\n",
)
