"""All problems of calls with their places."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache

from llmblocks.core.section import Section
from llmblocks.facts.problem import Facts, Problem
from llmblocks.gadget.call import Call
from llmblocks.gadget.editor.call_problems import problems_of_calls
from llmblocks.gadget.editor.calls import call_in
from llmblocks.gadget.editor.headers import problems_of_headers
from llmblocks.gadget.editor.markers import problems_of_markers
from llmblocks.gadget.editor.misspelt import misspelt_markers
from llmblocks.gadget.editor.pointer_forms import problems_of_pointers
from llmblocks.gadget.editor.rejected_pointers import rejected
from llmblocks.gadget.editor.stray_markers import stray_markers
from llmblocks.gadget.editor.values import has_long_number, lost_of, may_be_rounded
from llmblocks.gadget.rules import RULES
from llmblocks.gadget.syntax.javascript import SPACE
from llmblocks.gadget.syntax.markers import Markers
from llmblocks.gadget.syntax.values import BACKTICK, coerce

_LOOSE = frozenset((BACKTICK, *SPACE))


@lru_cache(maxsize=16)
def facts(markers: Markers) -> Facts:
    """The facts about calls with these markers."""

    def problems(section: Section) -> Iterable[Problem]:
        call = call_in(section)
        found = [*problems_of_markers(section, call, markers), *misspelt_markers(section, markers)]
        found += stray_markers(section, markers)
        if call is not None:
            found += problems_of_pointers(call, markers.arg)
            found += _problems_of_values(section, call)
            found += problems_of_headers(section, call, markers.start)
            found += _rejected_pointers(call)
            found += problems_of_calls(section, call, markers)
        return found

    return Facts(RULES, problems)


def _rejected_pointers(call: Call) -> Iterator[Problem]:
    """The problems of the pointers of a call together."""
    pointers = [each.pointer for each in call.arguments]
    for each in rejected(pointers, lambda number: coerce(call.received(number))):
        at = call.arguments[each.argument].name
        others = [(other.name, other.name_end) for other in map(call.arguments.__getitem__, each.others)]
        yield each.problem(at, others, call.text.count("\n", others[0][0], at) if others else 0)


def _problems_of_values(section: Section, call: Call) -> Iterator[Problem]:
    """The problems of the values of a call."""
    text, gaps, last = call.text, call.gaps, len(call.arguments) - 1
    returns, rounded = "\r" in text, has_long_number(section)
    for number in range(0 if returns or rounded else max(last, 0), last + 1):
        _, _, _, value, end, pointer = call.arguments[number]
        # without a pointer, the whole value is dropped
        if value == end or not pointer:
            continue
        is_tight = number < last or _is_tight(text, value, end)
        if is_tight and not (returns or gaps or (rounded and may_be_rounded(text, value, end))):
            continue
        for lost in lost_of(call.said(value, end), number == last, call.closed, call.crlf):
            start, stop = call.place(value, lost.start), call.place(value, lost.end - 1) + 1
            yield Problem(lost.rule, start, stop, lost.data)


def _is_tight(text: str, start: int, end: int) -> bool:
    """Whether a value has nothing at its end that the runtime could take off."""
    return text[end - 1] == "\n" and end - 1 > start and text[end - 2] not in _LOOSE
