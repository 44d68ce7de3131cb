"""G004 argument-outside-call."""

from __future__ import annotations

from llmblocks.gadget.syntax.catalogue import ARGUMENT_OUTSIDE_CALL
from llmblocks.rules.rule import Rule

RULE = Rule(
    kind=ARGUMENT_OUTSIDE_CALL,
    layer="gadget",
    summary="An argument marker is outside any call.",
    why="The argument belongs to no call: llmist reads the marker and the lines after it as text, and the user sees "
    "them. Often the start marker of a call is missing, or its end marker comes too early.",
    bad="!!!GADGET_START:Greet\n!!!ARG:name\nAda\n!!!GADGET_END\n!!!ARG:greeting\nHello\n",
    good="!!!GADGET_START:Greet\n!!!ARG:name\nAda\n!!!ARG:greeting\nHello\n!!!GADGET_END\n",
)
