"""G105 pointer-overwritten."""

from __future__ import annotations

from llmblocks.gadget.syntax.catalogue import POINTER_OVERWRITTEN
from llmblocks.rules.rule import Rule

RULE = Rule(
    kind=POINTER_OVERWRITTEN,
    layer="gadget",
    summary="A pointer replaces values that were given before it.",
    why="The later value replaces all values below its pointer. llmist reports nothing: the gadget runs without the "
    "earlier values.",
    bad="!!!GADGET_START:Open\n!!!ARG:file/path\na.txt\n!!!ARG:file\nb.txt\n!!!GADGET_END\n",
    good="!!!GADGET_START:Open\n!!!ARG:file/path\na.txt\n!!!ARG:other\nb.txt\n!!!GADGET_END\n",
)
