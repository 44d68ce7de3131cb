"""The problems of calls against their schemas, and the rejected calls, even if rules are switched off."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import chain
from typing import Final

from llmblocks.contract.arguments import unknown_tool
from llmblocks.core.query import Query
from llmblocks.core.section import Section
from llmblocks.facts.problem import Facts, Problem
from llmblocks.facts.rule import Rule
from llmblocks.gadget import rules
from llmblocks.gadget.call import Call
from llmblocks.gadget.editor.calls import call_in
from llmblocks.gadget.editor.problems import facts
from llmblocks.gadget.schemas.gadgets import Gadgets
from llmblocks.gadget.schemas.judging import judge
from llmblocks.gadget.syntax.markers import Markers
from llmblocks.gadget.syntax.pointer import ROWS

_SPACE: Final = " \t\r\n"
_STEPS: Final[Mapping[Rule, int]] = {
    rules.G001_MISSING_GADGET_NAME: 0,
    rules.G201_UNKNOWN_GADGET: 0,
    **dict.fromkeys(ROWS.values(), 1),
    **dict.fromkeys((rules.G203_MISSING_PARAMETER, rules.G204_WRONG_TYPE), 2),
    **dict.fromkeys((rules.G205_NOT_AN_ALLOWED_VALUE, rules.G206_CONSTRAINT_VIOLATED), 2),
}
"""The problems for which the runtime rejects a call, by the step in which it detects them."""
REJECTING: Final = (*_STEPS,)


# its answers are cached on the sections, and shared by problems and rejections
@lru_cache(maxsize=16)
def judged_by(gadgets: Gadgets) -> Query[Section, tuple[Problem, ...]]:
    """Return the query for the problems of a section against the schemas of some gadgets."""

    def problems(section: Section) -> tuple[Problem, ...]:
        call = call_in(section) if gadgets else None
        return () if call is None else (*_problems(call, gadgets),)

    return Query("judged call", problems)


def facts_of(markers: Markers, gadgets: Gadgets) -> Facts:
    """Return the facts of the format, and those about the schemas of gadgets."""
    stated, judged = facts(markers), judged_by(gadgets)
    return Facts(stated.rules, lambda section: chain(stated.problems(section), judged(section)))


@lru_cache(maxsize=16)
def rejections(markers: Markers, gadgets: Gadgets) -> Query[Section, Problem | None]:
    """Return the query for the problem because of which the runtime rejects the call of a section."""
    stated, judged = facts(markers), judged_by(gadgets)

    def read(section: Section) -> Problem | None:
        # the runtime stops at the first problem of the first step that finds some
        every = filter(_rejects, chain(stated.problems(section), judged(section)))
        return min(every, key=lambda each: _STEPS[each.rule], default=None)

    return Query("rejected call", read)


def _rejects(problem: Problem) -> bool:
    return problem.rule in _STEPS and problem.data.get("case") != "server"


def _problems(call: Call, gadgets: Gadgets) -> Iterator[Problem]:
    """Yield the problems of the name and of the arguments of a call."""
    name = call.names.name
    text = name.of(call.text)
    if text.strip(_SPACE) and (data := unknown_tool(text, gadgets)) is not None:
        yield Problem(rules.G201_UNKNOWN_GADGET, *name, data)
    gadget = gadgets.find(text)
    if gadget is not None:
        yield from judge(gadget, call)
