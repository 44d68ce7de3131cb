"""G101 duplicate-pointer."""

from __future__ import annotations

from collections.abc import Iterator

from llmblocks.core.finding import Finding, Related, Severity
from llmblocks.core.section import Section
from llmblocks.gadget.editor.problems import pointer_problems
from llmblocks.rules.rule import Rule
from llmblocks.settings.values import Settings


def check(section: Section, _: Settings) -> Iterator[Finding]:
    for problem in pointer_problems(section):
        if problem.kind == "duplicate" and problem.first:
            lines = section.slice(problem.first[0], problem.start).count("\n")
            where = f"{lines} line{'s' if lines > 1 else ''} above" if lines else "on this line"
            message = f"{problem.message} — llmist rejects the whole call; first given {where}, rename or remove one"
            first = Related(*problem.first, "first given here")
            yield Finding("G101", problem.start, problem.end, message, Severity.ERROR, (first,))


RULE = Rule(
    code="G101",
    name="duplicate-pointer",
    severity=Severity.ERROR,
    layer="gadget",
    summary="Two arguments of one call have the same pointer.",
    why="llmist does not choose between them: the call fails with `Duplicate pointer: …` and the gadget never runs. "
    "White space around a pointer does not count.",
    check=check,
    bad="!!!GADGET_START:Greet\n!!!ARG:name\nAda\n!!!ARG:name\nGrace\n!!!GADGET_END\n",
    good="!!!GADGET_START:Greet\n!!!ARG:first\nAda\n!!!ARG:second\nGrace\n!!!GADGET_END\n",
)
