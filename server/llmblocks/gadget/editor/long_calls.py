"""The calls that do not end in the piece in which they begin: the problems of their pointers."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import accumulate, chain
from typing import NamedTuple

from llmblocks.core.deferred import Deferred
from llmblocks.core.layered import reads_crlf
from llmblocks.core.problem import Problem, Spread
from llmblocks.core.query import Query
from llmblocks.core.rule import Rule
from llmblocks.core.section import Piece, Renewal, Section
from llmblocks.gadget.editor.pointers import Pointers, calls_of_piece, joined
from llmblocks.gadget.editor.rejected_pointers import KINDS, Rejected, rejected
from llmblocks.gadget.editor.values import received
from llmblocks.gadget.syntax.javascript import SPACE
from llmblocks.gadget.syntax.scalars import Scalar
from llmblocks.gadget.syntax.values import FENCE, coerce

_FEW = 8
_Parts = tuple[tuple[str, ...], ...]


class JudgedPointers(NamedTuple):
    """The problems of the pointers of a long call.

    Shape: `parts` are its pointers in each of its pieces, `found` what is wrong with them, for each piece that has
           something. `read` are the values on which that depends, by argument.
    """

    parts: _Parts
    found: Mapping[int, Sequence[Rejected]]
    read: Mapping[int, Scalar]


class LongCall(NamedTuple):
    """A call that does not end in its first piece. Shape: `piece` is the number of that piece in the section."""

    piece: int
    judged: JudgedPointers


class _Reader:
    """The values of a long call, each read where it is asked for, and kept."""

    def __init__(self, section: Section, piece: int, parts: _Parts) -> None:
        self.read: dict[int, Scalar] = {}
        self._section = section
        self._piece = piece
        self._starts = starts_of(parts)
        self._count = sum(map(len, parts))

    def __call__(self, argument: int) -> Scalar:
        if argument not in self.read:
            self.read[argument] = coerce(self.text(argument))
        return self.read[argument]

    def text(self, argument: int) -> str:
        """The text of a value, as the runtime gets it."""
        part = bisect_right(self._starts, argument) - 1
        number = self._piece + part
        pieces = self._section.pieces
        pointers = _pointers(pieces[number], part)
        texts = [joined(pieces[number].text, pointers.values[argument - self._starts[part]])]
        if argument + 1 == self._starts[part] + len(pointers.texts):
            # nothing in the piece is behind it: it goes on in the next
            for following in pieces[number + 1 : self._piece + len(self._starts)]:
                of_piece = calls_of_piece(following)
                texts.append(joined(following.text, of_piece.value))
                if of_piece.lead.texts:
                    break
        return received("".join(texts), argument + 1 == self._count, reads_crlf(pieces[number].after))


def _long_calls(section: Section) -> tuple[LongCall, ...]:
    pieces = section.pieces
    if not section.is_long and not calls_of_piece(pieces[0]).goes_on:
        return ()
    if section.renews:
        before = long_calls.known(section.renews.section)
        same = None if before is None else _with_other_pieces(before, section.renews)
        if same is not None and all(_still(call, section) for call in same):
            return same
    spans: list[tuple[int, list[tuple[str, ...]]]] = []
    begun: list[tuple[str, ...]] = []
    first = 0
    for number, piece in enumerate(pieces):
        of_piece = calls_of_piece(piece)
        if begun:
            begun.append(of_piece.lead.texts)
            if of_piece.passes:
                continue
            spans.append((first, begun))
            begun = []
        if of_piece.goes_on:
            begun, first = [of_piece.calls[-1].texts], number
    if begun:
        spans.append((first, begun))
    known = (section.renews and long_calls.known(section.renews.section)) or ()
    found = []
    for first, texts in spans:
        parts = (*texts,)
        # the parts of pieces that have not changed are the same objects, so this compares one piece
        judged = next((call.judged for call in known[:_FEW] if call.judged.parts == parts), None)
        if judged is None or not _still(LongCall(first, judged), section):
            judged = _judge(section, first, parts)
        found.append(LongCall(first, judged))
    return (*found,)


def _with_other_pieces(calls: tuple[LongCall, ...], renewal: Renewal) -> tuple[LongCall, ...] | None:
    """The long calls of a section after an edit that has changed no pointer; None where it has changed one."""
    _, first, _, gone, come = renewal
    if not renewal.moved:
        return calls if all(map(_same_pointers, gone, come)) else None
    if not all(calls_of_piece(piece).passes for piece in (*gone, *come)):
        return None
    old, new = ([calls_of_piece(piece).lead.texts for piece in pieces] for pieces in (gone, come))
    if [text for texts in old for text in texts] != [text for texts in new for text in texts]:
        return None
    found = []
    for call in calls:
        parts = call.judged.parts
        here = first - call.piece
        if here <= 0:
            call = call._replace(piece=call.piece + renewal.moved)
        elif here < len(parts):
            parts = (*parts[:here], *new, *parts[here + len(gone) :])
            call = call._replace(judged=_by_part(parts, chain(*call.judged.found.values()), call.judged.read))
        found.append(call)
    return (*found,)


def _same_pointers(old: Piece, new: Piece) -> bool:
    one, other = calls_of_piece(old), calls_of_piece(new)
    return (one.lead.texts, one.goes_on, one.passes) == (other.lead.texts, other.goes_on, other.passes) and [
        call.texts for call in one.calls
    ] == [call.texts for call in other.calls]


long_calls: Query[Section, tuple[LongCall, ...]] = Query("gadget long calls", _long_calls, lasting=True)


def _still(call: LongCall, section: Section) -> bool:
    """Whether the values are the same on which it depends what is wrong with a call."""
    read = call.judged.read
    if not read:
        return True
    reader = _Reader(section, call.piece, call.judged.parts)
    return all(_equal(value, reader(argument)) for argument, value in read.items())


def _equal(one: Scalar, other: Scalar) -> bool:
    return type(one) is type(other) and one == other


def _judge(section: Section, piece: int, parts: _Parts) -> JudgedPointers:
    """What is wrong with the pointers of a call, by the piece that it is in, counted from the call's first one."""
    pointers = [text for part in parts for text in part]
    reader = _Reader(section, piece, parts)
    last = len(pointers) - 1
    if pointers and pointers[last].endswith(FENCE) and not str(reader(last)).strip(SPACE):
        # with no value behind it, the pointer ends the body
        pointers[last] = pointers[last].removesuffix(FENCE).strip(SPACE)
    return _by_part(parts, rejected(pointers, reader), reader.read)


def _by_part(parts: _Parts, wrong: Iterable[Rejected], read: Mapping[int, Scalar]) -> JudgedPointers:
    starts = starts_of(parts)
    found: dict[int, list[Rejected]] = {}
    for each in wrong:
        found.setdefault(bisect_right(starts, each.argument) - 1, []).append(each)
    return JudgedPointers(parts, found, read)


def starts_of(parts: _Parts) -> list[int]:
    """The number of the first argument of each part."""
    return [0, *accumulate(map(len, parts))][:-1]


def _pointers(piece: Piece, part: int) -> Pointers:
    of_piece = calls_of_piece(piece)
    return of_piece.lead if part else of_piece.calls[-1]


def _placed(section: Section, call: LongCall, found: Sequence[Rejected]) -> Iterator[Problem]:
    """The problems of a long call in one piece."""
    starts = starts_of(call.judged.parts)
    pieces, offsets, newlines = pieces_of(section)

    def place(argument: int) -> tuple[int, int, int]:
        """The piece of an argument's pointer, and its start and end in the section."""
        part = bisect_right(starts, argument) - 1
        number = call.piece + part
        start, end = _pointers(pieces[number], part).places[argument - starts[part]]
        return number, offsets[number] + start, offsets[number] + end

    for each in found:
        number, at, _ = place(each.argument)
        places: list[tuple[int, int]] = []
        lines = 0
        for other in each.others:
            piece, start, end = place(other)
            if not places:
                lines = newlines[number] + pieces[number].text.count("\n", 0, at - offsets[number])
                lines -= newlines[piece] + pieces[piece].text.count("\n", 0, start - offsets[piece])
            places.append((start, end))
        yield each.problem(at, places, lines)


def _pieces_of(section: Section) -> tuple[tuple[Piece, ...], list[int], list[int]]:
    pieces = (*section.pieces,)
    sizes = [piece.length for piece in pieces], [piece.newlines for piece in pieces]
    return pieces, [0, *accumulate(sizes[0])], [0, *accumulate(sizes[1])]


pieces_of: Query[Section, tuple[tuple[Piece, ...], list[int], list[int]]] = Query("pieces", _pieces_of)
"""The pieces, and the numbers of code points and newlines before each."""


def problems_of_long_calls(section: Section, wanted: Container[Rule]) -> Iterator[Spread]:
    """The problems of the pointers of long calls."""
    some = [call for call in long_calls(section) if call.judged.found]
    if not some:
        return
    every = all(kind in wanted for kind in KINDS)
    for call in some:
        for part in sorted(call.judged.found):
            found = call.judged.found[part]
            if not every:
                found = [each for each in found if each.kind in wanted]
            if found:
                yield Spread(call.piece + part, Deferred(len(found), partial(_placed, section, call, found)))
