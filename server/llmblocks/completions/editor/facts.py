"""The facts about completions, by a template."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from llmblocks.completions.editor.view import is_first
from llmblocks.completions.problems import problems_of
from llmblocks.completions.rules import RULES
from llmblocks.completions.shipped import template_called
from llmblocks.contract.arguments import Schemas
from llmblocks.core.section import Section
from llmblocks.facts.problem import Facts, Problem


@lru_cache(maxsize=16)
def facts(template: str, schemas: Schemas) -> Facts:
    """Return the facts about completions that a template reads, whose calls these schemas describe."""
    read = template_called(template)

    def problems(section: Section) -> Iterator[Problem]:
        known = schemas if schemas.names else None
        return problems_of(read, section.text, fresh=is_first(section), last=section.is_last, schemas=known)

    return Facts(RULES, problems)
