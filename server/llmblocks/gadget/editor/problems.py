"""All problems of calls with their places."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache, partial
from itertools import chain

from llmblocks.core.layered import reads_crlf
from llmblocks.core.query import Query
from llmblocks.core.section import Piece, Section
from llmblocks.facts.lines import Lines
from llmblocks.facts.problem import Deferred, Facts, Problem, Stated
from llmblocks.gadget.editor import kinds
from llmblocks.gadget.editor.call_problems import facts_of_calls
from llmblocks.gadget.editor.headers import problems_of_headers
from llmblocks.gadget.editor.markers import problems_of_markers
from llmblocks.gadget.editor.misspelt import misspelt_markers
from llmblocks.gadget.editor.pointer_forms import problems_of_pointers
from llmblocks.gadget.editor.pointers import FREE, CallPart, joined, part_of_call, place_in
from llmblocks.gadget.editor.rejected_pointers import Rejected, rejected
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
    whole = facts_of_calls(markers)

    def of_call(section: Section) -> Iterable[Stated]:
        # nearly all calls have an end, and no text in front of their arguments
        return () if kinds.END in section.kinds and kinds.IGNORED not in section.kinds else whole.in_section(section)

    def in_section(section: Section) -> Iterable[Stated]:
        if not section.is_long:
            part = part_of_call(section.pieces[0])
            if part is FREE or part.usual:
                return ()
            if not part.goes_on:
                return of_call(section)
        return chain(_of_open_pieces(section), of_call(section))

    # most pieces are counted, and few are asked for their problems
    alone: Query[Piece, Sequence[Problem]] = Query("gadget problems", lambda piece: _alone(piece, markers))

    def in_piece(piece: Piece) -> Iterable[Stated]:
        return (*alone(piece), *_rejected_in(piece, part_of_call(piece)))

    return Facts(RULES, in_piece, in_section)


def _alone(piece: Piece, markers: Markers) -> Sequence[Problem]:
    """The problems of markers, headers and values that do not depend on several pointers."""
    part = part_of_call(piece)
    found = [*problems_of_markers(piece, part, markers), *misspelt_markers(piece, markers)]
    if part is not FREE:
        found += problems_of_pointers(piece, part)
        found += _problems_of_values(piece, part, partial(has_long_number, piece))
        found += problems_of_headers(piece, markers.start)
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


def _of_open_pieces(section: Section) -> Iterable[Stated]:
    """The problems of the calls and values that do not end in the piece in which they begin."""
    # few sections have one
    from llmblocks.gadget.editor.open_calls import OPEN_CALLS
    from llmblocks.gadget.editor.open_values import problems_of_inner_values

    return chain(OPEN_CALLS.in_section(section), problems_of_inner_values(section))
