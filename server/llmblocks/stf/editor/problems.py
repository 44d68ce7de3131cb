"""The problems of Simple Text Format that an editor reports."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from llmblocks.core.section import Section
from llmblocks.facts.problem import Facts, Problem
from llmblocks.stf.editor.dialects import problems_of_dialect
from llmblocks.stf.editor.lines import BY_DEFAULT, COMMANDS
from llmblocks.stf.rules import RULES


@cache
def facts(has_default: bool) -> Facts:
    """Return the facts. `has_default` if text outside of messages is a message of a default role."""
    commands = BY_DEFAULT if has_default else COMMANDS

    def problems(section: Section) -> Iterator[Problem]:
        yield from commands(section).problems
        yield from problems_of_dialect(section)

    return Facts(RULES, problems)
