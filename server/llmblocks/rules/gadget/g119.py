"""G119 pointer-escape-not-decoded."""

from __future__ import annotations

from llmblocks.gadget.syntax.catalogue import POINTER_ESCAPE_NOT_DECODED
from llmblocks.rules.rule import Rule

RULE = Rule(
    kind=POINTER_ESCAPE_NOT_DECODED,
    layer="gadget",
    summary="A pointer contains an escape of JSON Pointer.",
    why="In JSON Pointer, `~1` stands for `/` and `~0` for `~`. llmist decodes neither: they are part of the name.",
    bad="!!!GADGET_START:Open\n!!!ARG:a~1b\n1\n!!!GADGET_END\n",
    good="!!!GADGET_START:Open\n!!!ARG:a/b\n1\n!!!GADGET_END\n",
)
