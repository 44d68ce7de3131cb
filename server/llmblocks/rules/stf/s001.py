"""S001 unmatched-comment-end."""

from __future__ import annotations

from collections.abc import Iterator

from llmblocks.core.finding import Finding, Severity
from llmblocks.core.section import Section
from llmblocks.rules.rule import Rule
from llmblocks.settings.values import Settings
from llmblocks.stf.editor.comments import comment_problems


def check(section: Section, _: Settings) -> Iterator[Finding]:
    for start, end in comment_problems(section).unmatched:
        message = "Unexpected block comment end — no comment block is open here, and decoding fails; remove this line"
        yield Finding("S001", start, end, message, Severity.ERROR)


RULE = Rule(
    code="S001",
    name="unmatched-comment-end",
    severity=Severity.ERROR,
    layer="stf",
    summary="A line ends a comment block that was never begun.",
    why="Simple Text Format calls it an error, and decoding stops there. Comment blocks nest: each `@/*` takes one "
    "`@*/`, and a `*/` at the end of the opening line ends nothing.",
    check=check,
    bad="@user\nHello\n@*/\n",
    good="@user\nHello\n@/* a note\nto myself\n@*/\n",
    fixed="@user\nHello\n",
)
