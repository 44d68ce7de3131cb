"""G108 empty-pointer-segment."""

from __future__ import annotations

from llmblocks.gadget.syntax.catalogue import EMPTY_POINTER_SEGMENT
from llmblocks.rules.rule import Rule

RULE = Rule(
    kind=EMPTY_POINTER_SEGMENT,
    layer="gadget",
    summary="A pointer has an empty segment.",
    why="A `/` at the start or at the end of a pointer, and a doubled one, make a property with an empty name: `a//b`"
    " is `b` inside a nameless property of `a`.",
    bad="!!!GADGET_START:Open\n!!!ARG:/file\na.txt\n!!!GADGET_END\n",
    good="!!!GADGET_START:Open\n!!!ARG:file\na.txt\n!!!GADGET_END\n",
)
