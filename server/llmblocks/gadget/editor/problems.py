"""All problems of calls with their places."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from functools import lru_cache
from typing import Final

from llmblocks.core.layered import reads_crlf
from llmblocks.core.problem import Facts, Problem, ProblemKind, Spread
from llmblocks.core.section import Piece, Section
from llmblocks.gadget.editor.call_problems import problems_of_call
from llmblocks.gadget.editor.headers import problems_of_headers
from llmblocks.gadget.editor.markers import problems_of_markers
from llmblocks.gadget.editor.misspelt import misspelt_markers
from llmblocks.gadget.editor.pointer_forms import problems_of_pointers
from llmblocks.gadget.editor.pointers import FREE, Pointers, calls_of_piece, joined, place_in
from llmblocks.gadget.editor.rejected import rejected
from llmblocks.gadget.editor.values import lost_of, may_be_rounded, received
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
        if len(section.pieces) > 1 or calls_of_piece(section.pieces[0]).goes_on:
            yield from _of_open_pieces(section, wanted)
        yield from problems_of_call(section, wanted, markers)

    def of_section(section: Section, wanted: Container[ProblemKind]) -> Iterable[Spread]:
        pieces = section.pieces
        return () if len(pieces) == 1 and calls_of_piece(pieces[0]) is FREE else across(section, wanted)

    return Facts(RULED, _Local(markers), of_section)


class _Local:
    """The problems of markers and headers, and of the calls and values that begin and end in one piece."""

    def __init__(self, markers: Markers) -> None:
        self.markers: Final = markers

    def __call__(self, piece: Piece) -> list[Problem]:
        found = [*problems_of_markers(piece, self.markers), *misspelt_markers(piece, self.markers)]
        of_piece = calls_of_piece(piece)
        if of_piece is FREE:
            return found
        calls = of_piece.calls
        for call in calls[:-1] if of_piece.goes_on else calls:
            found += _problems_of_call(piece, call)
        found += problems_of_pointers(piece)
        found += _problems_of_values(piece)
        found += problems_of_headers(piece, self.markers.start)
        return found


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
    every = "\r" in text
    for call in (of_piece.lead, *of_piece.calls):
        is_open = call is of_piece.last
        last = len(call.values) - 1
        for number, value in enumerate(call.values[:-1] if is_open else call.values):
            if not value or not (
                every or (number == last and not _is_tight(text, value)) or may_be_rounded(text, value)
            ):
                continue
            for lost in lost_of(joined(text, value), number == last, call.closed, reads_crlf(piece.after)):
                yield Problem(lost.kind, place_in(value, lost.start), place_in(value, lost.end - 1) + 1, lost.data)


def _is_tight(text: str, value: tuple[int, ...]) -> bool:
    """Whether a value has nothing at its end that the runtime could take off."""
    start, end = value[-2:]
    return text[end - 1] == "\n" and end - 1 > start and text[end - 2] not in _LOOSE


def _of_open_pieces(section: Section, wanted: Container[ProblemKind]) -> Iterator[Spread]:
    """The problems of the calls and values that do not end in the piece in which they begin."""
    # few sections have one
    from llmblocks.gadget.editor.long_calls import problems_of_long_calls
    from llmblocks.gadget.editor.long_values import problems_of_long_values

    yield from problems_of_long_calls(section, wanted)
    yield from problems_of_long_values(section, wanted)
