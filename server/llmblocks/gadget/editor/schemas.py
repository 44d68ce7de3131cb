"""The problems of calls against their schemas, with their places."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import chain
from typing import Final

from llmblocks.contract.arguments import LONGEST_BODY, unknown_tool
from llmblocks.core.query import Query
from llmblocks.core.section import Section
from llmblocks.facts.problem import Facts, Problem
from llmblocks.gadget.call import Call
from llmblocks.gadget.editor.calls import call_in
from llmblocks.gadget.rules import UNKNOWN_GADGET
from llmblocks.gadget.schemas.gadgets import Gadgets
from llmblocks.gadget.schemas.judging import ArgumentProblem, judge

_SPACE: Final = " \t\r\n"


def with_schemas(stated: Facts, gadgets: Gadgets) -> Facts:
    """Return the facts of the format with those about the schemas of gadgets."""
    judged = judged_by(gadgets)
    return Facts(stated.rules, lambda section: chain(stated.problems(section), judged(section)))


# its answers are cached on the sections, and shared by problems and fates
@lru_cache(maxsize=16)
def judged_by(gadgets: Gadgets) -> Query[Section, tuple[Problem, ...]]:
    """Return the query for the problems of a section against the schemas of some gadgets."""

    def problems(section: Section) -> tuple[Problem, ...]:
        call = call_in(section)
        return () if call is None else (*_problems(call, gadgets),)

    return Query("judged call", problems)


def _problems(call: Call, gadgets: Gadgets) -> Iterator[Problem]:
    """Yield the problems of the name and of the arguments of a call."""
    name = call.names.name
    text = name.of(call.text)
    if text.strip(_SPACE) and (data := unknown_tool(text, gadgets)) is not None:
        yield Problem(UNKNOWN_GADGET, *name, data)
    gadget = gadgets.find(text)
    if gadget is None or gadget.parameters is None or call.end - call.header_end > LONGEST_BODY:
        return
    for each in judge(gadget, call):
        yield Problem(each.rule, *_place(call, each), each.data)


def _place(call: Call, each: ArgumentProblem) -> tuple[int, int]:
    if each.argument < 0:
        header = call.text[call.header : call.header_end]
        start = call.header + len(header) - len(header.lstrip(_SPACE))
        return start, max(start, call.header + len(header.rstrip(_SPACE)))
    argument = call.arguments[each.argument]
    if each.part == "pointer":
        return argument.name + each.start, argument.name + each.end
    text = call.said(argument.value, argument.end)
    value = text.strip(_SPACE)
    if not value:
        return argument.name, argument.name_end
    start = text.index(value)
    return call.place(argument.value, start), call.place(argument.value, start + len(value) - 1) + 1
