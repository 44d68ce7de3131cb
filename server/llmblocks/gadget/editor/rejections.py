"""The calls that the runtime rejects, according to all rules, even those switched off."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING, Final, NamedTuple

from llmblocks.core.query import Query
from llmblocks.core.section import Section
from llmblocks.facts.problem import Problem
from llmblocks.facts.rule import Rule
from llmblocks.gadget import rules
from llmblocks.gadget.editor.calls import call_in
from llmblocks.gadget.editor.problems import facts
from llmblocks.gadget.editor.schemas import judged_by
from llmblocks.gadget.schemas.gadgets import Gadgets
from llmblocks.gadget.syntax.markers import Markers

if TYPE_CHECKING:
    from llmblocks.gadget.editor.settings import GadgetSettings

_STEPS: Final[Mapping[Rule, int]] = {
    rules.MISSING_GADGET_NAME: 0,
    rules.UNKNOWN_GADGET: 0,
    rules.DUPLICATE_POINTER: 1,
    rules.ARRAY_INDEX_GAP: 1,
    rules.INVALID_ARRAY_INDEX: 1,
    rules.POINTER_CONFLICT: 1,
    rules.UNSAFE_POINTER: 1,
    rules.POINTER_TOO_DEEP: 1,
    rules.MISSING_PARAMETER: 2,
    rules.WRONG_TYPE: 2,
    rules.NOT_AN_ALLOWED_VALUE: 2,
    rules.CONSTRAINT_VIOLATED: 2,
}
"""The problems for which the runtime rejects a call, by the step in which it detects them."""
REJECTING: Final = (*_STEPS,)


class Rejection(NamedTuple):
    """The error with which the runtime rejects a call."""

    message: str
    start: int
    """The place of the error, from the start of the section."""


def rejections(settings: GadgetSettings) -> Query[Section, Rejection | None]:
    """Return the query for the error with which the runtime rejects the call of a section, under some settings."""
    return _rejections(settings.markers, settings.gadgets)


# kept, because its answers are cached on the sections
@lru_cache(maxsize=16)
def _rejections(markers: Markers, gadgets: Gadgets) -> Query[Section, Rejection | None]:
    stated = facts(markers)
    judged = judged_by(gadgets) if gadgets else None

    def read(section: Section) -> Rejection | None:
        if call_in(section) is None:
            return None
        # the runtime stops at the first problem of the first step that finds some
        every = filter(_rejects, chain(stated.problems(section), judged(section) if judged else ()))
        first = min(every, key=lambda each: _STEPS[each.rule], default=None)
        return first and Rejection(first.rule.says(first.data), first.start)

    return Query("rejected call", read)


def _rejects(problem: Problem) -> bool:
    return problem.rule in _STEPS and problem.data.get("case") != "server"
