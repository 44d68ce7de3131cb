"""G010 unterminated-header."""

from __future__ import annotations

from llmblocks.gadget.syntax.catalogue import UNTERMINATED_HEADER
from llmblocks.rules.rule import Rule

RULE = Rule(
    kind=UNTERMINATED_HEADER,
    layer="gadget",
    summary="The text ends with the header of a call.",
    why="A header ends with a newline. Without one, llmist begins no call and shows the header to the user as "
    "text. Often the response was cut off here.",
    bad="!!!GADGET_START:Greet",
    good="!!!GADGET_START:Greet\n!!!GADGET_END\n",
)
