"""All problems of calls with their places."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from functools import lru_cache, partial
from typing import Final

from llmblocks.core.layered import reads_crlf
from llmblocks.core.query import Query
from llmblocks.core.section import Piece, Section
from llmblocks.facts.problem import Facts, Problem, Spread, counted
from llmblocks.facts.rule import Rule
from llmblocks.gadget.editor.call_problems import problems_of_call
from llmblocks.gadget.editor.headers import problems_of_headers
from llmblocks.gadget.editor.markers import problems_of_markers
from llmblocks.gadget.editor.misspelt import misspelt_markers
from llmblocks.gadget.editor.pointer_forms import problems_of_pointers
from llmblocks.gadget.editor.pointers import FREE, Pointers, calls_of_piece, joined, place_in
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

    def across(section: Section, wanted: Container[Rule]) -> Iterator[Spread]:
        if section.is_long or calls_of_piece(section.pieces[0]).goes_on:
            yield from _of_open_pieces(section, wanted)
        yield from problems_of_call(section, wanted, markers)

    def of_section(section: Section, wanted: Container[Rule]) -> Iterable[Spread]:
        if not section.is_long:
            of_piece = calls_of_piece(section.pieces[0])
            if of_piece is FREE or of_piece.usual:
                return ()
        return across(section, wanted)

    local = _Local(markers)
    return Facts(RULES, local, of_section, local.count)


class _Local:
    """The problems of markers and headers, and of the calls and values that begin and end in one piece."""

    def __init__(self, markers: Markers) -> None:
        self.markers: Final = markers
        # they are counted first, and created for those who ask
        self._by_themselves: Final[Query[Piece, Sequence[Problem]]] = Query("gadget problems", self._alone)

    def __call__(self, piece: Piece) -> list[Problem]:
        found = [*self._by_themselves(piece)]
        for call, wrong in _rejected_in(piece):
            for each in wrong:
                at = call.places[each.argument][0]
                others = [call.places[other] for other in each.others]
                found.append(each.problem(at, others, piece.text.count("\n", others[0][0], at) if others else 0))
        return found

    def count(self, piece: Piece, wanted: Container[Rule]) -> int:
        """How many of the problems are of the kinds that are wanted."""
        found = self._by_themselves(piece)
        count = counted(found, wanted) if found else 0
        for _, wrong in _rejected_in(piece):
            count += len([each for each in wrong if each.kind in wanted])
        return count

    def _alone(self, piece: Piece) -> Sequence[Problem]:
        """The problems that do not depend on several pointers."""
        found = [*problems_of_markers(piece, self.markers), *misspelt_markers(piece, self.markers)]
        if calls_of_piece(piece) is not FREE:
            found += problems_of_pointers(piece)
            found += _problems_of_values(piece)
            found += problems_of_headers(piece, self.markers.start)
        return found or ()


def _rejected_in(piece: Piece) -> list[tuple[Pointers, Sequence[Rejected]]]:
    """The calls in a piece with wrong pointers, and these."""
    of_piece = calls_of_piece(piece)
    if of_piece is FREE:
        return []
    calls = of_piece.calls[:-1] if of_piece.goes_on else of_piece.calls
    return [(call, wrong) for call in calls if (wrong := rejected(call.texts, partial(_value, piece, call)))]


def _value(piece: Piece, call: Pointers, argument: int) -> Scalar:
    """The value of an argument as it reaches the gadget."""
    text = joined(piece.text, call.values[argument])
    return coerce(received(text, argument + 1 == len(call.texts), reads_crlf(piece.after)))


def _problems_of_values(piece: Piece) -> Iterator[Problem]:
    """The problems of the values that begin and end in the piece."""
    of_piece, text = calls_of_piece(piece), piece.text
    every = "\r" in text
    if of_piece.usual and not every:
        values = of_piece.calls[0].values
        long = [value for value in values if value[1] - value[0] >= EXACT_DIGITS and may_be_rounded(text, value)]
        if not long and (not values or _is_tight(text, values[-1])):
            return
    rounded = has_long_number(piece)
    for call in (of_piece.lead, *of_piece.calls):
        is_open = call is of_piece.last
        last = len(call.values) - 1
        for number, value in enumerate(call.values[:-1] if is_open else call.values):
            # without a pointer, the whole value is dropped
            if (
                not value
                or not call.texts[number]
                or not (
                    every
                    or (number == last and not _is_tight(text, value))
                    or (rounded and may_be_rounded(text, value))
                )
            ):
                continue
            for lost in lost_of(joined(text, value), number == last, call.closed, reads_crlf(piece.after)):
                yield Problem(lost.kind, place_in(value, lost.start), place_in(value, lost.end - 1) + 1, lost.data)


def _is_tight(text: str, value: tuple[int, ...]) -> bool:
    """Whether a value has nothing at its end that the runtime could take off."""
    start, end = value[-2:]
    return text[end - 1] == "\n" and end - 1 > start and text[end - 2] not in _LOOSE


def _of_open_pieces(section: Section, wanted: Container[Rule]) -> Iterator[Spread]:
    """The problems of the calls and values that do not end in the piece in which they begin."""
    # few sections have one
    from llmblocks.gadget.editor.open_calls import OPEN_CALLS
    from llmblocks.gadget.editor.open_values import problems_of_inner_values

    yield from OPEN_CALLS.across(section, wanted)
    yield from problems_of_inner_values(section, wanted)
