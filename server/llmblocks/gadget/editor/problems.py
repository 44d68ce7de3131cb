"""All problems of calls with their places, those of pointers found here."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from typing import NamedTuple, overload

from llmblocks.core.finding import Related
from llmblocks.core.problem import Facts, Problem, ProblemKind, Spread
from llmblocks.core.query import Query
from llmblocks.core.section import Piece, Section
from llmblocks.gadget.editor.headers import problems_of_headers
from llmblocks.gadget.editor.markers import problems_of_markers
from llmblocks.gadget.editor.pointers import calls_of_piece
from llmblocks.gadget.syntax.catalogue import (
    ARRAY_INDEX_GAP,
    DUPLICATE_POINTER,
    INVALID_ARRAY_INDEX,
    RULED,
)
from llmblocks.gadget.syntax.javascript import leading_integer
from llmblocks.gadget.syntax.markers import Markers
from llmblocks.gadget.syntax.pointer import ROWS, Parameters, PointerError, Value, assign

_LONGEST_LIST = 1 << 16
_FEW = 8
_KINDS = (DUPLICATE_POINTER, ARRAY_INDEX_GAP, INVALID_ARRAY_INDEX)


class Rejected(NamedTuple):
    """A pointer that the runtime rejects.

    Shape: `argument` is its number, `first` that of the earlier, equal one. `start` and `end` are the part of it that
           is wrong, from its own start.
    """

    kind: ProblemKind
    argument: int
    start: int
    end: int
    data: Mapping[str, object]
    first: int = -1


def rejected(pointers: Sequence[str]) -> list[Rejected]:
    """Every duplicate pointer, array index gap and invalid array index among the pointers of one call.

    The runtime stops at the first one. Here a wrong index counts as right, so that later ones are checked on their own.
    """
    if "/" not in "".join(pointers) and len(set(pointers)) == len(pointers):
        return []
    found = []
    seen: dict[str, int] = {}
    root: Parameters = {}
    for number, pointer in enumerate(pointers):
        if not pointer:
            continue  # the runtime drops its value before it looks at the pointer
        if pointer in seen:
            found.append(Rejected(DUPLICATE_POINTER, number, 0, len(pointer), {"pointer": pointer}, seen[pointer]))
            continue
        seen[pointer] = number
        try:
            assign(root, pointer, "")
        except PointerError as error:
            kind = ROWS[error.kind]
            if kind not in _KINDS or error.place is None:
                continue
            segments = pointer.split("/")
            start = sum(len(segment) + 1 for segment in segments[: error.place])
            segment = segments[error.place]
            end = start + len(segment)
            if kind is ARRAY_INDEX_GAP:
                _extend(root, segments[: error.place], segment)
            found.append(Rejected(kind, number, start, end, error.data))
    return found


def _extend(root: Parameters, path: list[str], index: str) -> None:
    """Extend the list at `path` up to `index`, so that the next index is not another gap."""
    current: Value = root
    for segment in path:
        if isinstance(current, list):
            current = current[int(leading_integer(segment) or 0)]
        elif isinstance(current, dict):
            current = current[segment]
    number = leading_integer(index) or 0
    assert isinstance(current, list), "a gap is in a list"
    if number < _LONGEST_LIST:
        current.extend([""] * (int(number) + 1 - len(current)))


def _problem(each: Rejected, at: int, first: tuple[int, int] | None, lines: int) -> Problem:
    start, end = at + each.start, at + each.end
    if first is None:
        return Problem(each.kind, start, end, each.data)
    where = f"{lines} line{'s' if lines > 1 else ''} above" if lines else "on this line"
    related = (Related(*first, "first given here"),)
    return Problem(each.kind, start, end, {**each.data, "where": where}, related)


@lru_cache(maxsize=16)
def facts(markers: Markers) -> Facts:
    """The facts about calls with these markers."""
    return Facts(RULED, _Local(markers), _across)


@dataclass(frozen=True, slots=True)
class _Local:
    """The problems of markers and headers, and of the calls that begin and end in one piece."""

    markers: Markers

    def __call__(self, piece: Piece) -> Iterator[Problem]:
        _, calls, goes_on, _ = calls_of_piece(piece)
        for texts, places in calls[:-1] if goes_on else calls:
            for each in rejected(texts):
                at, first, lines = places[each.argument][0], None, 0
                if each.first >= 0:
                    first = places[each.first]
                    lines = piece.text.count("\n", first[0], at)
                yield _problem(each, at, first, lines)
        yield from problems_of_markers(piece, self.markers)
        yield from problems_of_headers(piece, self.markers.start)


class LongCall(NamedTuple):
    """A call that continues in the next piece.

    Shape: `parts` are its pointers in each piece from the one with the number `piece`; `found` what is wrong with them,
           for each piece that has something.
    """

    piece: int
    parts: tuple[tuple[str, ...], ...]
    found: dict[int, list[Rejected]]


def _long_calls(section: Section) -> tuple[LongCall, ...]:
    pieces = section.pieces
    if len(pieces) == 1 and not calls_of_piece(pieces[0]).goes_on:
        return ()
    if section.renews:
        before, pairs = long_calls.known(section.renews.section), section.renews.pairs(section)
        if before is not None and pairs is not None and all(_same_pointers(old, new) for old, new in pairs):
            return before
    spans: list[tuple[int, list[tuple[str, ...]]]] = []
    begun: list[tuple[str, ...]] = []
    first = 0
    for number, piece in enumerate(pieces):
        lead, calls, goes_on, passes = calls_of_piece(piece)
        if begun:
            begun.append(lead.texts)
            if passes:
                continue
            spans.append((first, begun))
            begun = []
        if goes_on:
            begun, first = [calls[-1].texts], number
    if begun:
        spans.append((first, begun))
    known = (section.renews and long_calls.known(section.renews.section)) or ()
    found = []
    for first, texts in spans:
        parts = (*texts,)
        # the parts of pieces that have not changed are the same objects, so this compares one piece
        same = next((call.found for call in known[:_FEW] if call.parts == parts), None)
        found.append(LongCall(first, parts, _by_piece(parts) if same is None else same))
    return (*found,)


def _same_pointers(old: Piece, new: Piece) -> bool:
    one, other = calls_of_piece(old), calls_of_piece(new)
    return (one.lead.texts, one.goes_on, one.passes) == (other.lead.texts, other.goes_on, other.passes) and [
        call.texts for call in one.calls
    ] == [call.texts for call in other.calls]


long_calls: Query[Section, tuple[LongCall, ...]] = Query("gadget long calls", _long_calls, lasting=True)


def _by_piece(parts: tuple[tuple[str, ...], ...]) -> dict[int, list[Rejected]]:
    """What is wrong with the pointers of a call, by the piece that it is in, counted from the call's first one."""
    starts = _starts(parts)
    found: dict[int, list[Rejected]] = {}
    for each in rejected([text for part in parts for text in part]):
        found.setdefault(bisect_right(starts, each.argument) - 1, []).append(each)
    return found


def _starts(parts: tuple[tuple[str, ...], ...]) -> list[int]:
    return [0, *accumulate(map(len, parts))][:-1]


class _Placed(Sequence[Problem]):
    """The problems of a long call in one piece, created on access."""

    def __init__(self, section: Section, call: LongCall, found: Sequence[Rejected]) -> None:
        self._section = section
        self._call = call
        self._found = found

    def __len__(self) -> int:
        return len(self._found)

    @overload
    def __getitem__(self, index: int) -> Problem: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Problem]: ...
    def __getitem__(self, index: int | slice) -> Problem | Sequence[Problem]:
        return [*self][index]

    def __iter__(self) -> Iterator[Problem]:
        section, call = self._section, self._call
        starts = _starts(call.parts)
        offsets, newlines = pieces_of(section)
        for each in self._found:
            number, at, _ = self._place(starts, offsets, each.argument)
            first, lines = None, 0
            if each.first >= 0:
                other, start, end = self._place(starts, offsets, each.first)
                first = (start, end)
                lines = newlines[number] + section.pieces[number].text.count("\n", 0, at - offsets[number])
                lines -= newlines[other] + section.pieces[other].text.count("\n", 0, start - offsets[other])
            yield _problem(each, at, first, lines)

    def _place(self, starts: list[int], offsets: list[int], argument: int) -> tuple[int, int, int]:
        """The piece of an argument's pointer, and its start and end in the section."""
        part = bisect_right(starts, argument) - 1
        number = self._call.piece + part
        of_piece = calls_of_piece(self._section.pieces[number])
        places = (of_piece.lead if part else of_piece.calls[-1]).places
        start, end = places[argument - starts[part]]
        return number, offsets[number] + start, offsets[number] + end


def _pieces_of(section: Section) -> tuple[list[int], list[int]]:
    pieces = section.pieces
    return [0, *accumulate(piece.length for piece in pieces)], [0, *accumulate(piece.newlines for piece in pieces)]


pieces_of: Query[Section, tuple[list[int], list[int]]] = Query("pieces", _pieces_of)
"""The numbers of code points and newlines before each piece of a section."""


def _across(section: Section, wanted: Container[ProblemKind]) -> Iterator[Spread]:
    """The problems of the calls of several pieces."""
    every = all(kind in wanted for kind in _KINDS)
    for call in long_calls(section):
        for part in sorted(call.found):
            found = call.found[part]
            if not every:
                found = [each for each in found if each.kind in wanted]
            if found:
                yield Spread(call.piece + part, _Placed(section, call, found))
