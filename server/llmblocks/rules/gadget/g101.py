"""G101 duplicate-pointer."""

from __future__ import annotations

from llmblocks.gadget.syntax.catalogue import DUPLICATE_POINTER
from llmblocks.rules.rule import Rule

RULE = Rule(
    kind=DUPLICATE_POINTER,
    layer="gadget",
    summary="Two arguments of one call have the same pointer.",
    why="llmist does not choose between them: the call fails with `Duplicate pointer: …` and the gadget never runs. "
    "White space around a pointer does not count.",
    bad="!!!GADGET_START:Greet\n!!!ARG:name\nAda\n!!!ARG:name\nGrace\n!!!GADGET_END\n",
    good="!!!GADGET_START:Greet\n!!!ARG:first\nAda\n!!!ARG:second\nGrace\n!!!GADGET_END\n",
)
