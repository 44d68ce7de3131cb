"""All problems of calls with their places."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, lru_cache, partial

from llmblocks.core.layered import reads_crlf
from llmblocks.facts.lines import Lines, of_lines
from llmblocks.facts.problem import Deferred, Fact, Facts, Problem, Stated, facts_of
from llmblocks.gadget.editor import kinds
from llmblocks.gadget.editor.call_problems import facts_of_calls
from llmblocks.gadget.editor.headers import problems_of_headers
from llmblocks.gadget.editor.markers import problems_of_markers
from llmblocks.gadget.editor.misspelt import misspelt_markers
from llmblocks.gadget.editor.pointer_forms import problems_of_pointers
from llmblocks.gadget.editor.pointers import FREE, OURS, CallPart, joined, part_of_call, place_in
from llmblocks.gadget.editor.rejected_pointers import Rejected, rejected
from llmblocks.gadget.editor.stray_markers import stray_markers
from llmblocks.gadget.editor.values import EXACT_DIGITS, has_long_number, lost_of, may_be_rounded, received
from llmblocks.gadget.rules import RULES
from llmblocks.gadget.syntax.javascript import SPACE
from llmblocks.gadget.syntax.markers import Markers
from llmblocks.gadget.syntax.scalars import Scalar
from llmblocks.gadget.syntax.values import BACKTICK, coerce

_LOOSE = frozenset((BACKTICK, *SPACE))


@lru_cache(maxsize=16)
def facts(markers: Markers) -> Facts:
    """The facts about calls with these markers."""
    # most lines are counted, and few are asked for their problems
    alone = of_lines("gadget problems", lambda lines: _alone(lines, markers))
    strays = stray_markers(markers)

    @cache
    def open_facts() -> Iterable[Fact]:
        # few sections have one
        from llmblocks.gadget.editor.open_calls import OPEN_CALLS
        from llmblocks.gadget.editor.open_values import OPEN_VALUES

        return OPEN_CALLS, OPEN_VALUES, facts_of_calls(markers), strays

    def in_lines(lines: Lines) -> Iterable[Stated]:
        return (*alone(lines), *strays.in_lines(lines), *_rejected_in(lines, part_of_call(lines)))

    return facts_of(RULES, in_lines, OURS, _is_open, open_facts)


def _is_open(lines: Lines) -> bool:
    """Whether something may be wrong in a section of these lines that they do not show by themselves."""
    part = part_of_call(lines)
    return not part.usual and (part.goes_on or kinds.END not in lines.kinds or kinds.IGNORED in lines.kinds)


def _alone(lines: Lines, markers: Markers) -> Sequence[Problem]:
    """The problems of markers, headers and values that do not depend on several pointers."""
    part = part_of_call(lines)
    found = [*problems_of_markers(lines, part, markers), *misspelt_markers(lines, markers)]
    if part is not FREE:
        found += problems_of_pointers(lines, part)
        found += _problems_of_values(lines, part, partial(has_long_number, lines))
        found += problems_of_headers(lines, markers.start)
    return found or ()


def _rejected_in(lines: Lines, part: CallPart) -> Iterator[Deferred]:
    """The problems of the pointers of a call that is there as a whole."""
    if part.begins and part.closed and (wrong := rejected(part.texts, partial(_value, lines, part))):
        stated = [each.kind for each in wrong]
        yield Deferred(part.places[wrong[0].argument][0], stated, partial(_problems_of_pointers, lines, part, wrong))


def _problems_of_pointers(lines: Lines, part: CallPart, wrong: Iterable[Rejected]) -> Iterator[Problem]:
    for each in wrong:
        at = part.places[each.argument][0]
        others = [part.places[other] for other in each.others]
        yield each.problem(at, others, lines.text.count("\n", others[0][0], at) if others else 0)


def _value(lines: Lines, part: CallPart, argument: int) -> Scalar:
    """The value of an argument as it reaches the gadget."""
    text = joined(lines.text, part.values[argument])
    return coerce(received(text, argument + 1 == len(part.texts), reads_crlf(lines.after)))


def _problems_of_values(lines: Lines, part: CallPart, has_long_number: Callable[[], bool]) -> Iterator[Problem]:
    """The problems of the values that begin and end there."""
    text, values = lines.text, part.values
    every = "\r" in text
    if part.usual and not every:
        long = [value for value in values if value[1] - value[0] >= EXACT_DIGITS and may_be_rounded(text, value)]
        if not long and (not values or _is_tight(text, values[-1])):
            return
    rounded = has_long_number()
    last = len(values) - 1
    for number, value in enumerate(values if part.closed else values[:-1]):
        # without a pointer, the whole value is dropped
        if (
            not value
            or not part.texts[number]
            or not (
                every or (number == last and not _is_tight(text, value)) or (rounded and may_be_rounded(text, value))
            )
        ):
            continue
        for lost in lost_of(joined(text, value), number == last, part.closed, reads_crlf(lines.after)):
            yield Problem(lost.kind, place_in(value, lost.start), place_in(value, lost.end - 1) + 1, lost.data)


def _is_tight(text: str, value: tuple[int, ...]) -> bool:
    """Whether a value has nothing at its end that the runtime could take off."""
    start, end = value[-2:]
    return text[end - 1] == "\n" and end - 1 > start and text[end - 2] not in _LOOSE
