"""S303 byte-order-mark."""

from __future__ import annotations

from llmblocks.rules.rule import Rule
from llmblocks.stf.syntax.catalogue import BYTE_ORDER_MARK

RULE = Rule(
    kind=BYTE_ORDER_MARK,
    layer="stf",
    summary="The text begins with a byte-order mark.",
    why="llm-msg-io takes it for part of the first line, which is then no command any more. Some editors write "
    "the mark: save the file as UTF-8 without a signature.",
    bad="\ufeff@user\nHello\n",
    good="@user\nHello\n",
)
