"""S002 unterminated-comment."""

from __future__ import annotations

from collections.abc import Iterator

from llmblocks.core.finding import Finding, Related, Severity
from llmblocks.core.section import Section
from llmblocks.rules.rule import Rule
from llmblocks.settings.values import Settings
from llmblocks.stf.editor.comments import comment_problems


def check(section: Section, _: Settings) -> Iterator[Finding]:
    unterminated = comment_problems(section).unterminated
    if unterminated:
        (start, end), *inner = unterminated
        # a comment is ended in the dialect that it was begun in
        sigil = section.slice(start, end).partition("/*")[0].rstrip()[-1:]
        message = f"Unterminated block comment — all text from here to the end is lost; end it with a line `{sigil}*/`"
        related = tuple(Related(*line, "still open inside it") for line in inner)
        yield Finding("S002", start, end, message, Severity.ERROR, related)


RULE = Rule(
    code="S002",
    name="unterminated-comment",
    severity=Severity.ERROR,
    layer="stf",
    summary="A comment block is begun and never ended.",
    why="Everything behind it is part of the comment, every later message too. Comment blocks nest: each `@/*` takes "
    "one `@*/` at the start of a line of its own.",
    check=check,
    bad="@user\nHello\n@/* a note\n@ai\nHi\n",
    good="@user\nHello\n@/* a note\n@*/\n@ai\nHi\n",
    fixed="@user\nHello\n@/* a note\n@ai\nHi\n@*/\n",
)
