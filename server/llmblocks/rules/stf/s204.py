"""S204 invalid-call-arguments."""

from __future__ import annotations

from llmblocks.rules.rule import Rule
from llmblocks.stf.syntax.catalogue import INVALID_CALL_ARGUMENTS

RULE = Rule(
    kind=INVALID_CALL_ARGUMENTS,
    layer="stf",
    summary="The data line of a call is not a JSON5 object.",
    why="The call keeps the line as text, and the tool gets arguments that it cannot read.",
    bad="@ai\n@call name=look\n{at: holiday.png}\n",
    good="@ai\n@call name=look\n{at: 'holiday.png'}\n",
)
