"""G106 empty-pointer."""

from __future__ import annotations

from llmblocks.gadget.syntax.catalogue import EMPTY_POINTER
from llmblocks.rules.rule import Rule

RULE = Rule(
    kind=EMPTY_POINTER,
    layer="gadget",
    summary="An argument has no pointer.",
    why="llmist drops its value and runs the gadget without it. White space alone is not a pointer.",
    bad="!!!GADGET_START:Greet\n!!!ARG:name\nAda\n!!!ARG:\nGrace\n!!!GADGET_END\n",
    good="!!!GADGET_START:Greet\n!!!ARG:name\nAda\n!!!ARG:other\nGrace\n!!!GADGET_END\n",
)
