"""All problems of calls with their places."""

from __future__ import annotations

from collections.abc import Container, Iterator
from dataclasses import dataclass
from functools import lru_cache

from llmblocks.core.layered import reads_crlf
from llmblocks.core.problem import Facts, Problem, ProblemKind, Spread
from llmblocks.core.section import Piece, Section
from llmblocks.gadget.editor.call_problems import problems_of_call
from llmblocks.gadget.editor.headers import problems_of_headers
from llmblocks.gadget.editor.long_calls import problems_of_long_calls
from llmblocks.gadget.editor.long_values import problems_of_long_values
from llmblocks.gadget.editor.markers import problems_of_markers
from llmblocks.gadget.editor.misspelt import misspelt_markers
from llmblocks.gadget.editor.pointer_forms import problems_of_pointers
from llmblocks.gadget.editor.pointers import Pointers, calls_of_piece, joined, place_in
from llmblocks.gadget.editor.rejected import rejected
from llmblocks.gadget.editor.values import LONG_NUMBER, lost_of, received
from llmblocks.gadget.syntax.catalogue import RULED
from llmblocks.gadget.syntax.javascript import SPACE
from llmblocks.gadget.syntax.markers import Markers
from llmblocks.gadget.syntax.scalars import Scalar
from llmblocks.gadget.syntax.values import BACKTICK, coerce

_LOOSE = frozenset((BACKTICK, *SPACE))


@lru_cache(maxsize=16)
def facts(markers: Markers) -> Facts:
    """The facts about calls with these markers."""

    def across(section: Section, wanted: Container[ProblemKind]) -> Iterator[Spread]:
        yield from _across(section, wanted)
        yield from problems_of_call(section, wanted, markers)

    return Facts(RULED, _Local(markers), across)


@dataclass(frozen=True, slots=True)
class _Local:
    """The problems of markers and headers, and of the calls and values that begin and end in one piece."""

    markers: Markers

    def __call__(self, piece: Piece) -> Iterator[Problem]:
        of_piece = calls_of_piece(piece)
        calls = of_piece.calls
        for call in calls[:-1] if of_piece.goes_on else calls:
            yield from _problems_of_call(piece, call)
        yield from problems_of_pointers(piece)
        yield from _problems_of_values(piece)
        yield from problems_of_markers(piece, self.markers)
        yield from misspelt_markers(piece, self.markers)
        yield from problems_of_headers(piece, self.markers.start)


def _problems_of_call(piece: Piece, call: Pointers) -> Iterator[Problem]:
    def value_of(argument: int) -> Scalar:
        text = joined(piece.text, call.values[argument])
        return coerce(received(text, argument + 1 == len(call.texts), reads_crlf(piece.after)))

    for each in rejected(call.texts, value_of):
        at = call.places[each.argument][0]
        others = [call.places[other] for other in each.others]
        yield each.problem(at, others, piece.text.count("\n", others[0][0], at) if others else 0)


def _problems_of_values(piece: Piece) -> Iterator[Problem]:
    """The problems of the values that begin and end in the piece."""
    of_piece, text = calls_of_piece(piece), piece.text
    every = "\r" in text or LONG_NUMBER.search(text) is not None
    for call in (of_piece.lead, *of_piece.calls):
        is_open = call is of_piece.last
        last = len(call.values) - 1
        for number in range(0 if every else max(last, 0), last + (not is_open)):
            value = call.values[number]
            if not value or (not every and _is_tight(text, value)):
                continue
            for lost in lost_of(joined(text, value), number == last, call.closed, reads_crlf(piece.after)):
                yield Problem(lost.kind, place_in(value, lost.start), place_in(value, lost.end - 1) + 1, lost.data)


def _is_tight(text: str, value: tuple[int, ...]) -> bool:
    """Whether a value has nothing at its end that the runtime could take off."""
    start, end = value[-2:]
    return text[end - 1] == "\n" and end - 1 > start and text[end - 2] not in _LOOSE


def _across(section: Section, wanted: Container[ProblemKind]) -> Iterator[Spread]:
    """The problems of the calls and values of several pieces."""
    yield from problems_of_long_calls(section, wanted)
    yield from problems_of_long_values(section, wanted)
