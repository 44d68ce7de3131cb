"""G117 carriage-return-kept."""

from __future__ import annotations

from llmblocks.gadget.syntax.catalogue import CARRIAGE_RETURN_KEPT
from llmblocks.rules.rule import Rule

RULE = Rule(
    kind=CARRIAGE_RETURN_KEPT,
    layer="gadget",
    summary="A value contains a carriage return.",
    why="Only a newline ends a line of a call. With CRLF line ends, every line of a value keeps its carriage return, "
    "also the last one, unless the value is a number, a boolean, or the last of its call. In a chat of the `@` "
    "dialect, CRLF is one line end.",
    bad="!!!GADGET_START:Post\n!!!ARG:text\nHello\r\n!!!ARG:title\nRun\n!!!GADGET_END\n",
    good="!!!GADGET_START:Post\n!!!ARG:text\nHello\n!!!ARG:title\nRun\n!!!GADGET_END\n",
)
