"""S107 arguments-not-an-object."""

from __future__ import annotations

from llmblocks.rules.rule import Rule
from llmblocks.stf.syntax.catalogue import ARGUMENTS_NOT_AN_OBJECT

RULE = Rule(
    kind=ARGUMENTS_NOT_AN_OBJECT,
    layer="stf",
    summary="An argument has a value of the wrong type.",
    why="The arguments of messages and calls are strings. Any other value is dropped. A `@call` must have a "
    "name, and the type of an `@embed` is `audio`, `file` or `image`.",
    bad="@user {name: 5}\nHello\n@ai\n@call name=look\n{}\n",
    good="@user {name: '5'}\nHello\n@ai\n@call name=look\n{}\n",
)
