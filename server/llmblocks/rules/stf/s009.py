"""S009 data-before-message."""

from __future__ import annotations

from typing import TYPE_CHECKING

from llmblocks.rules.rule import Rule
from llmblocks.stf.syntax.catalogue import DATA_BEFORE_MESSAGE

if TYPE_CHECKING:
    from llmblocks.core.finding import Finding
    from llmblocks.languages.ask import Ask
    from llmblocks.rules.fix import Fix


def _fix(finding: Finding, ask: Ask) -> tuple[Fix, ...]:
    from llmblocks.rules.stf.lines import begun_message

    return begun_message(finding, ask)


RULE = Rule(
    kind=DATA_BEFORE_MESSAGE,
    layer="stf",
    summary="Text is outside all messages.",
    why="It belongs to no message and is lost: before the first message, and after `@raw` … `@end` and `;flush`. Only "
    "the first such line is reported. With a default role in the settings, the text is a message of that role, and "
    "nothing is reported.",
    bad="Hello\n@ai\nHi\n",
    good="@user\nHello\n@ai\nHi\n",
    fixed="@user\nHello\n@ai\nHi\n",
    fix=_fix,
    remedy="Begins a user message before the line, or an assistant message before a `@call`. Unsafe: only the author "
    "knows who wrote the text.",
    unsafe=True,
)
