"""The problems of calls that schemas show, with their places."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Container, Iterator
from functools import lru_cache
from itertools import accumulate

from llmblocks.core.query import Query
from llmblocks.core.scan import Kind
from llmblocks.core.section import Section
from llmblocks.facts.problem import Facts, Problem, facts_together
from llmblocks.gadget.editor import kinds
from llmblocks.gadget.editor.view import ArgumentView, CallView, call_in
from llmblocks.gadget.rules import UNKNOWN_GADGET
from llmblocks.gadget.schemas.gadgets import Gadgets, GadgetSchema
from llmblocks.gadget.schemas.judging import LONGEST_BODY, ArgumentProblem, judge, judge_name
from llmblocks.gadget.syntax.header import locate_header

_VALUES = frozenset((kinds.VALUE,))
_SPACE = " \t\r\n"
_SHORT = 2048
_KEPT = 1024


def with_schemas(stated: Facts, gadgets: Gadgets, arg: str) -> Facts:
    """The facts of the format, and those that the schemas of gadgets show. Shape: `arg` marks arguments."""
    return facts_together(stated.rules, stated.problems, judging_of(gadgets, arg).problems)


class Judging:
    """The facts that the schemas of some gadgets show."""

    def __init__(self, gadgets: Gadgets, arg: str) -> None:
        self._gadgets = gadgets
        self._arg = arg
        # who counts problems, who creates them and who asks for the fate of a call ask one after the other
        self._known = lru_cache(maxsize=_KEPT)(self._judge)

    def problems(self, section: Section) -> Iterator[Problem]:
        """The problems of the name and of the arguments of the call of a section."""
        call = call_in(section)
        if call is None:
            return
        header = section.text[call.header : call.header_end]
        name = locate_header(header).name
        text = name.of(header)
        if text.strip(_SPACE) and (data := judge_name(text, self._gadgets)) is not None:
            yield Problem(UNKNOWN_GADGET, call.header + name.start, call.header + name.end, data)
        gadget = self._gadgets.find(text)
        if gadget is None or gadget.parameters is None or call.end - call.header_end > LONGEST_BODY:
            return
        body = body_of(section, call)
        for each in (self._known if len(body) < _SHORT else self._judge)(gadget, body):
            yield Problem(each.rule, *_place(section, call, each, header), each.data)

    def _judge(self, gadget: GadgetSchema, body: str) -> list[ArgumentProblem]:
        return judge(gadget, body, self._arg)


@lru_cache(maxsize=16)
def judging_of(gadgets: Gadgets, arg: str) -> Judging:
    # kept, because its answers are remembered on the sections under its query
    return Judging(gadgets, arg)


def _starts_of(lines: Section) -> list[int]:
    return [*accumulate([token.width for token in lines.tokens], initial=0)]


starts_of_tokens = Query("starts of tokens", _starts_of)


def body_of(lines: Section, call: CallView) -> str:
    """The text between header and end as the runtime reads it, without the syntax of a chat around it."""
    return _between(lines, call.header_end, call.end, kinds.BODY)


def value_of(lines: Section, argument: ArgumentView) -> str:
    """The text of a value as written, without the syntax of a chat around it."""
    return _between(lines, argument.value, argument.end, _VALUES)


def _between(lines: Section, start: int, end: int, wanted: Container[Kind]) -> str:
    tokens, starts = lines.tokens, starts_of_tokens(lines)
    first, last = bisect_left(starts, start), bisect_left(starts, end)
    return "".join(
        [
            lines.text[starts[number] : starts[number + 1]]
            for number in range(first, last)
            if tokens[number].kind in wanted
        ]
    )


def _place(lines: Section, call: CallView, each: ArgumentProblem, header: str) -> tuple[int, int]:
    if each.argument >= 0 and each.argument < len(call.arguments):
        argument = call.arguments[each.argument]
        if each.part == "pointer":
            return argument.name + each.start, argument.name + each.end
        return _value(lines, argument) or (argument.name, argument.name_end)
    start = call.header + len(header) - len(header.lstrip(_SPACE))
    return start, max(start, call.header + len(header.rstrip(_SPACE)))


def _value(lines: Section, argument: ArgumentView) -> tuple[int, int] | None:
    """The place of a value without the white space around it; None for a blank one."""
    tokens, starts = lines.tokens, starts_of_tokens(lines)
    start = end = -1
    for number in range(bisect_left(starts, argument.value), bisect_left(starts, argument.end)):
        if tokens[number].kind is kinds.VALUE:
            at = starts[number]
            text = lines.text[at : starts[number + 1]]
            if text.strip(_SPACE):
                start = at + len(text) - len(text.lstrip(_SPACE)) if start < 0 else start
                end = at + len(text.rstrip(_SPACE))
    return None if start < 0 else (start, end)
