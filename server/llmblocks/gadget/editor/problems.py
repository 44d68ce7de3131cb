"""All problems of calls with their places."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache, partial

from llmblocks.core.layered import reads_crlf
from llmblocks.core.section import Section
from llmblocks.facts.problem import Facts, Problem
from llmblocks.gadget.editor.call_problems import problems_of_calls
from llmblocks.gadget.editor.headers import problems_of_headers
from llmblocks.gadget.editor.markers import problems_of_markers
from llmblocks.gadget.editor.misspelt import misspelt_markers
from llmblocks.gadget.editor.pointer_forms import problems_of_pointers
from llmblocks.gadget.editor.pointers import FREE, CallPart, joined, part_of_call, place_in
from llmblocks.gadget.editor.rejected_pointers import Rejected, rejected
from llmblocks.gadget.editor.stray_markers import stray_markers
from llmblocks.gadget.editor.values import EXACT_DIGITS, has_long_number, lost_of, may_be_rounded, received
from llmblocks.gadget.rules import RULES
from llmblocks.gadget.syntax.javascript import SPACE
from llmblocks.gadget.syntax.markers import Markers
from llmblocks.gadget.syntax.scalars import Scalar
from llmblocks.gadget.syntax.values import BACKTICK, FENCE, coerce

_LOOSE = frozenset((BACKTICK, *SPACE))


@lru_cache(maxsize=16)
def facts(markers: Markers) -> Facts:
    """The facts about calls with these markers."""

    def problems(section: Section) -> Iterable[Problem]:
        call = part_of_call(section)
        found = [*problems_of_markers(section, call, markers), *misspelt_markers(section, markers)]
        found += stray_markers(section, markers)
        if call is not FREE:
            found += problems_of_pointers(section, call)
            found += _problems_of_values(section, call)
            found += problems_of_headers(section, markers.start)
            found += _rejected_pointers(section, call)
            found += problems_of_calls(section, call, markers)
        return found

    return Facts(RULES, problems)


def _rejected_pointers(section: Section, call: CallPart) -> Iterable[Problem]:
    """The problems of the pointers of a call."""
    if not call.begins:
        return ()
    texts = call.texts
    if not call.closed and texts and texts[-1].endswith(FENCE) and not str(_value(section, call, -1)).strip(SPACE):
        # with no value behind it, the pointer ends the body
        texts = (*texts[:-1], texts[-1].removesuffix(FENCE).strip(SPACE))
    wrong = rejected(texts, partial(_value, section, call))
    return _problems_of_pointers(section, call, wrong) if wrong else ()


def _problems_of_pointers(section: Section, part: CallPart, wrong: Iterable[Rejected]) -> Iterator[Problem]:
    for each in wrong:
        at = part.places[each.argument][0]
        others = [part.places[other] for other in each.others]
        yield each.problem(at, others, section.text.count("\n", others[0][0], at) if others else 0)


def _value(section: Section, part: CallPart, argument: int) -> Scalar:
    """The value of an argument as it reaches the gadget."""
    text = joined(section.text, part.values[argument])
    is_last = argument in (-1, len(part.texts) - 1)
    return coerce(received(text, is_last, reads_crlf(section.after)))


def _problems_of_values(section: Section, part: CallPart) -> Iterator[Problem]:
    """The problems of the values of a call."""
    text, values = section.text, part.values
    every = "\r" in text
    if part.usual and not every:
        long = [value for value in values if value[1] - value[0] >= EXACT_DIGITS and may_be_rounded(text, value)]
        if not long and (not values or _is_tight(text, values[-1])):
            return
    rounded = has_long_number(section)
    last = len(values) - 1
    for number, value in enumerate(values):
        # without a pointer, the whole value is dropped
        if (
            not value
            or not part.texts[number]
            or not (
                every or (number == last and not _is_tight(text, value)) or (rounded and may_be_rounded(text, value))
            )
        ):
            continue
        for lost in lost_of(joined(text, value), number == last, part.closed, reads_crlf(section.after)):
            yield Problem(lost.rule, place_in(value, lost.start), place_in(value, lost.end - 1) + 1, lost.data)


def _is_tight(text: str, value: tuple[int, ...]) -> bool:
    """Whether a value has nothing at its end that the runtime could take off."""
    start, end = value[-2:]
    return text[end - 1] == "\n" and end - 1 > start and text[end - 2] not in _LOOSE
