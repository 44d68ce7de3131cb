"""G118 number-precision-lost."""

from __future__ import annotations

from llmblocks.gadget.syntax.catalogue import NUMBER_PRECISION_LOST
from llmblocks.rules.rule import Rule

RULE = Rule(
    kind=NUMBER_PRECISION_LOST,
    layer="gadget",
    summary="A number has more digits than the runtime keeps.",
    why="llmist reads a value that looks like a number as a float64, with about 16 digits. A long id or a long "
    "fraction becomes a different number.",
    bad="!!!GADGET_START:Delete\n!!!ARG:id\n9007199254740993\n!!!GADGET_END\n",
    good="!!!GADGET_START:Delete\n!!!ARG:id\n9007199254740992\n!!!GADGET_END\n",
)
