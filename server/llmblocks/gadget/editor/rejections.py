"""The calls that the runtime rejects: what the facts about them say, whichever rules are switched off."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from itertools import chain
from operator import attrgetter
from typing import TYPE_CHECKING, Final, NamedTuple

from llmblocks.core.section import Section
from llmblocks.facts.lines import Lines, of_lines
from llmblocks.facts.problem import Facts, Problem, Stated, problems_of
from llmblocks.facts.rule import Rule
from llmblocks.gadget import rules
from llmblocks.gadget.editor.pointers import first_of_call
from llmblocks.gadget.editor.problems import facts
from llmblocks.gadget.editor.schemas import Judging, judging_of
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
"""The problems for which the runtime rejects a call, by the step in which it looks for them."""
REJECTING: Final = (*_STEPS,)

_start_of: Callable[[Stated], int] = attrgetter("start")


class Rejection(NamedTuple):
    """The error with which the runtime rejects a call. Shape: `start` counts from the lines with its header."""

    message: str
    start: int


class Rejections:
    """The rejected calls of documents with some settings. An edit costs the lines that it touches."""

    def __init__(self, stated: Facts, judging: Judging | None) -> None:
        self._facts = stated
        self._judging = judging
        self._in_lines = of_lines("rejected call", self._read)

    def of(self, section: Section) -> Rejection | None:
        """The error of the call of a section."""
        begun = first_of_call(section)
        found = self._in_lines(begun.lines) if begun else None
        return self._of_open(section, begun.at) if begun and found is None and begun.part.goes_on else found

    def _of_open(self, section: Section, start: int) -> Rejection | None:
        """The error of a call that goes on behind the lines in which it begins, which start at a place."""
        every = sorted(self._facts.in_section(section), key=_start_of)
        judged = self._judging.in_section(section) if self._judging else ()
        stated = (problem for each in chain(every, judged) for problem in each.problems())
        found = next(filter(_rejects, stated), None)
        return found and _rejection(found, start)

    def _read(self, lines: Lines) -> Rejection | None:
        judged = self._judging.in_lines(lines) if self._judging else ()
        problems = chain(problems_of(self._facts.in_lines(lines)), judged)
        # the runtime stops at the first one of the first step that finds some
        first = min(filter(_rejects, problems), key=lambda each: _STEPS[each.kind], default=None)
        return first and _rejection(first, 0)


def _rejection(problem: Problem, start: int) -> Rejection:
    return Rejection(problem.kind.says(problem.data), problem.start - start)


def _rejects(problem: Problem) -> bool:
    return problem.kind in _STEPS and problem.data.get("case") != "server"


def rejections(settings: GadgetSettings) -> Rejections:
    """The rejected calls under some settings."""
    return _rejections(settings.markers, settings.gadgets)


# kept, because the answers are remembered on the pieces under its queries
@lru_cache(maxsize=16)
def _rejections(markers: Markers, gadgets: Gadgets) -> Rejections:
    return Rejections(facts(markers), judging_of(gadgets, markers.arg) if gadgets else None)
