"""G104 pointer-conflict."""

from __future__ import annotations

from llmblocks.gadget.syntax.catalogue import POINTER_CONFLICT
from llmblocks.rules.rule import Rule

RULE = Rule(
    kind=POINTER_CONFLICT,
    layer="gadget",
    summary="A pointer leads below a value that is not an object.",
    why="The earlier argument is a text, a number or a boolean, and cannot contain other values. The call fails with "
    "`Cannot create property …` and the gadget does not run.",
    bad="!!!GADGET_START:Open\n!!!ARG:file\na.txt\n!!!ARG:file/mode\nread\n!!!GADGET_END\n",
    good="!!!GADGET_START:Open\n!!!ARG:file/path\na.txt\n!!!ARG:file/mode\nread\n!!!GADGET_END\n",
)
