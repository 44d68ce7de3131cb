"""S301 carriage-return."""

from __future__ import annotations

from llmblocks.rules.rule import Rule
from llmblocks.stf.syntax.catalogue import CARRIAGE_RETURN

RULE = Rule(
    kind=CARRIAGE_RETURN,
    layer="stf",
    summary="Lines end with CRLF.",
    why="The `@` dialect reads both, and recommends LF: tools that split at LF keep a `\\r` at the end of each"
    " line. In the `;` dialect the `\\r` is part of the line, so that a command line has it in its last "
    "argument, and this is an error. Only the first line end is reported, once for the document.",
    bad="@user\r\nHello\r\n",
    good="@user\nHello\n",
)
