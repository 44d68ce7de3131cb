"""T001 unclosed-block."""

from __future__ import annotations

from llmblocks.rules.rule import Rule
from llmblocks.tags.syntax.catalogue import UNCLOSED_BLOCK

RULE = Rule(
    kind=UNCLOSED_BLOCK,
    layer="tags",
    summary="An opening tag has no closing tag.",
    why="A block goes on until its closing tag. Without one, everything behind the opening tag is content of "
    "the block: what was meant for the user is not shown. Reported where a document is custom blocks and "
    "nothing else.",
    bad="<think>\nLet me see.\nThe answer is 4.\n",
    good="<think>\nLet me see.\n</think>\nThe answer is 4.\n",
)
