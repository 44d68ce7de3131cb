"""The problems of Simple Text Format that an editor reports."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from itertools import chain

from llmblocks.facts.lines import Lines
from llmblocks.facts.problem import Facts, Problem, facts_of
from llmblocks.stf.editor import comments
from llmblocks.stf.editor.blocks import facts_of_commands
from llmblocks.stf.editor.context import BLOCKS, LINES
from llmblocks.stf.editor.dialects import problems_of_dialect
from llmblocks.stf.editor.kinds import COMMENT_OPEN, STRAY_CLOSE
from llmblocks.stf.editor.lines import BY_DEFAULT, COMMANDS, OURS
from llmblocks.stf.editor.state import state_of
from llmblocks.stf.rules import RULES


@cache
def facts(has_default: bool) -> Facts:
    """The facts. Shape: `has_default` if text outside of messages is a message of a default role."""
    commands = BY_DEFAULT if has_default else COMMANDS
    open_facts = (comments.OPEN_COMMENTS, *facts_of_commands(commands))

    def in_lines(lines: Lines) -> Iterable[Problem]:
        found = chain(commands.part(lines).problems, problems_of_dialect(lines))
        return chain(comments.stray_ends(comments.comments_in(lines)), found) if STRAY_CLOSE in lines.kinds else found

    return facts_of(RULES, in_lines, OURS, _goes_on, lambda: open_facts)


def _goes_on(lines: Lines) -> bool:
    context = state_of(lines.after).context
    is_commented = COMMENT_OPEN in lines.kinds and comments.comments_in(lines).opens
    return bool(is_commented) or context in BLOCKS or context in LINES
