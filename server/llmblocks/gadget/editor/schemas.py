"""The problems of calls that schemas show, with their places."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Container, Iterator
from functools import lru_cache
from itertools import accumulate
from typing import NamedTuple

from llmblocks.core.scan import Kind
from llmblocks.facts.construct import WholeFact
from llmblocks.facts.lines import Lines, of_lines
from llmblocks.facts.problem import Facts, Problem, facts_together
from llmblocks.gadget.editor import kinds
from llmblocks.gadget.editor.pointers import CALLS, part_of_call
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
    return facts_together(stated.kinds, stated, judging_of(gadgets, arg))


class Judging:
    """The facts that the schemas of some gadgets show."""

    def __init__(self, gadgets: Gadgets, arg: str) -> None:
        self._gadgets = gadgets
        self._arg = arg
        # who counts problems, who creates them and who asks for the fate of a call ask one after the other
        self._known = lru_cache(maxsize=_KEPT)(self._judge)
        self.calls = WholeFact(CALLS, _call, self._of_call, LONGEST_BODY)
        self.in_section = self.calls.in_section

    def in_lines(self, lines: Lines) -> Iterator[Problem]:
        """The problems of names, and of the calls that begin and end in some lines."""
        part = part_of_call(lines)
        if not part.begins:
            return
        header = lines.text[part.header : part.header_end]
        name = locate_header(header).name
        text = name.of(header)
        if text.strip(_SPACE) and (data := judge_name(text, self._gadgets)) is not None:
            yield Problem(UNKNOWN_GADGET, part.header + name.start, part.header + name.end, data)
        yield from self.calls.in_lines(lines)

    def _of_call(self, read: _Read) -> Iterator[Problem]:
        call, lines = read
        header = lines.slice(call.header, call.header_end)
        gadget = self._gadgets.find(locate_header(header).name.of(header))
        if gadget is None or gadget.parameters is None:
            return
        body = body_of(lines, call)
        for each in (self._known if len(body) < _SHORT else self._judge)(gadget, body):
            yield Problem(each.kind, *_place(lines, call, each, header), each.data)

    def _judge(self, gadget: GadgetSchema, body: str) -> list[ArgumentProblem]:
        return judge(gadget, body, self._arg)


class _Read(NamedTuple):
    """A call, at its place in some lines."""

    call: CallView
    lines: Lines

    @property
    def start(self) -> int:
        return self.call.start


def _call(lines: Lines) -> tuple[_Read, ...]:
    call = call_in(lines)
    return () if call is None else (_Read(call, lines),)


@lru_cache(maxsize=16)
def judging_of(gadgets: Gadgets, arg: str) -> Judging:
    # kept, because its answers are remembered on the lines under its query
    return Judging(gadgets, arg)


all_tokens = of_lines("tokens", lambda lines: lines.tokens)


def _starts_of(lines: Lines) -> list[int]:
    return [*accumulate([token.width for token in all_tokens(lines)], initial=0)]


starts_of_tokens = of_lines("starts of tokens", _starts_of)


def body_of(lines: Lines, call: CallView) -> str:
    """The text between header and end as the runtime reads it, without the syntax of a chat around it."""
    return _between(lines, call.header_end, call.end, kinds.BODY)


def value_of(lines: Lines, argument: ArgumentView) -> str:
    """The text of a value as written, without the syntax of a chat around it."""
    return _between(lines, argument.value, argument.end, _VALUES)


def _between(lines: Lines, start: int, end: int, wanted: Container[Kind]) -> str:
    tokens, starts = all_tokens(lines), starts_of_tokens(lines)
    first, last = bisect_left(starts, start), bisect_left(starts, end)
    return "".join(
        [
            lines.slice(starts[number], starts[number + 1])
            for number in range(first, last)
            if tokens[number].kind in wanted
        ]
    )


def _place(lines: Lines, call: CallView, each: ArgumentProblem, header: str) -> tuple[int, int]:
    if each.argument >= 0 and each.argument < len(call.arguments):
        argument = call.arguments[each.argument]
        if each.part == "pointer":
            return argument.name + each.start, argument.name + each.end
        return _value(lines, argument) or (argument.name, argument.name_end)
    start = call.header + len(header) - len(header.lstrip(_SPACE))
    return start, max(start, call.header + len(header.rstrip(_SPACE)))


def _value(lines: Lines, argument: ArgumentView) -> tuple[int, int] | None:
    """The place of a value without the white space around it; None for a blank one."""
    tokens, starts = all_tokens(lines), starts_of_tokens(lines)
    start = end = -1
    for number in range(bisect_left(starts, argument.value), bisect_left(starts, argument.end)):
        if tokens[number].kind is kinds.VALUE:
            at = starts[number]
            text = lines.slice(at, starts[number + 1])
            if text.strip(_SPACE):
                start = at + len(text) - len(text.lstrip(_SPACE)) if start < 0 else start
                end = at + len(text.rstrip(_SPACE))
    return None if start < 0 else (start, end)
