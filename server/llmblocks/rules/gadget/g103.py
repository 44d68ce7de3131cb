"""G103 invalid-array-index."""

from __future__ import annotations

from collections.abc import Iterator

from llmblocks.core.finding import Finding, Severity
from llmblocks.core.section import Section
from llmblocks.gadget.editor.problems import pointer_problems
from llmblocks.rules.rule import Rule
from llmblocks.settings.values import Settings


def check(section: Section, _: Settings) -> Iterator[Finding]:
    for problem in pointer_problems(section):
        if problem.kind == "index":
            message = f"{problem.message} — llmist rejects the whole call; an array takes whole numbers from 0"
            yield Finding("G103", problem.start, problem.end, message, Severity.ERROR)


RULE = Rule(
    code="G103",
    name="invalid-array-index",
    severity=Severity.ERROR,
    layer="gadget",
    summary="A segment below an array is no index.",
    why="The first argument below a pointer decides: a whole number makes an array, anything else an object. What does "
    "not fit makes the call fail with `Invalid array index: …` and the gadget never runs.",
    check=check,
    bad="!!!GADGET_START:Sum\n!!!ARG:items/0\n1\n!!!ARG:items/last\n3\n!!!GADGET_END\n",
    good="!!!GADGET_START:Sum\n!!!ARG:items/0\n1\n!!!ARG:items/1\n3\n!!!GADGET_END\n",
)
