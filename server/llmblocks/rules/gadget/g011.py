"""G011 text-before-arguments."""

from __future__ import annotations

from llmblocks.gadget.syntax.catalogue import TEXT_BEFORE_ARGUMENTS
from llmblocks.rules.rule import Rule

RULE = Rule(
    kind=TEXT_BEFORE_ARGUMENTS,
    layer="gadget",
    summary="Text comes between the header of a call and its first argument.",
    why="llmist ignores it. Models that know other formats write JSON there; the gadget then runs without arguments.",
    bad='!!!GADGET_START:Greet\n{"name": "Ada"}\n!!!GADGET_END\n',
    good="!!!GADGET_START:Greet\n!!!ARG:name\nAda\n!!!GADGET_END\n",
)
