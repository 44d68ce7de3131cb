"""G102 array-index-gap."""

from __future__ import annotations

from collections.abc import Iterator

from llmblocks.core.finding import Finding, Severity
from llmblocks.core.section import Section
from llmblocks.gadget.editor.problems import pointer_problems
from llmblocks.rules.rule import Rule
from llmblocks.settings.values import Settings


def check(section: Section, _: Settings) -> Iterator[Finding]:
    for problem in pointer_problems(section):
        if problem.kind == "gap":
            message = f"{problem.message} — llmist rejects the whole call; give the indices in order, from 0"
            yield Finding("G102", problem.start, problem.end, message, Severity.ERROR)


RULE = Rule(
    code="G102",
    name="array-index-gap",
    severity=Severity.ERROR,
    layer="gadget",
    summary="An array index is higher than the number of elements given before it.",
    why="llmist builds arrays in the order of the arguments. A gap makes the call fail with "
    "`Array index gap: expected N, got M` and the gadget never runs.",
    check=check,
    bad="!!!GADGET_START:Sum\n!!!ARG:items/0\n1\n!!!ARG:items/2\n3\n!!!GADGET_END\n",
    good="!!!GADGET_START:Sum\n!!!ARG:items/0\n1\n!!!ARG:items/1\n3\n!!!GADGET_END\n",
)
