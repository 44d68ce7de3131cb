"""G120 pointer-too-deep."""

from __future__ import annotations

from llmblocks.gadget.syntax.catalogue import POINTER_TOO_DEEP
from llmblocks.rules.rule import Rule

RULE = Rule(
    kind=POINTER_TOO_DEEP,
    layer="gadget",
    summary="A pointer has too many segments.",
    why="llmblocks reads pointers of up to 1,000 segments and rejects calls with longer ones. llmist has no limit, but "
    "no gadget expects such values.",
    bad="!!!GADGET_START:Open\n!!!ARG:" + "a/" * 1000 + "b\n1\n!!!GADGET_END\n",
    good="!!!GADGET_START:Open\n!!!ARG:a/b/c\n1\n!!!GADGET_END\n",
)
