"""S104 unterminated-string."""

from __future__ import annotations

from llmblocks.rules.rule import Rule
from llmblocks.stf.syntax.catalogue import UNTERMINATED_STRING

RULE = Rule(
    kind=UNTERMINATED_STRING,
    layer="stf",
    summary="A quote is opened and not closed on its line.",
    why="The rest of the line is not read: neither this value nor the arguments behind it.",
    bad="@user name='Ada id=1\nHello\n",
    good="@user name='Ada' id=1\nHello\n",
)
