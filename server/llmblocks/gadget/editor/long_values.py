"""The values that do not end in the piece in which they begin: the text that the runtime drops from them."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple

from llmblocks.core.layered import reads_crlf
from llmblocks.core.problem import Problem, Spread
from llmblocks.core.query import Query
from llmblocks.core.rule import Rule
from llmblocks.core.section import Piece, Renewal, Section
from llmblocks.gadget.editor.pointers import Stretches, calls_of_piece, joined, place_in
from llmblocks.gadget.editor.values import LONG_NUMBER, Before, ValueProblem, fences_in, kept_of, lost_of, returns_in


class _Open(NamedTuple):
    """The values that are open at the ends of a piece.

    Shape: `before` is the one at its start, `behind` the one at its end that begins in it, each with what is in it.
           `ends` says that the first one ends in the piece, `last` that it is then the last of its call, `closed` that
           an end marker is after it. Where `quiet`, nothing in them matters in a value that is not the last one.
    """

    before: Stretches
    in_before: Before
    ends: bool
    last: bool
    closed: bool
    behind: Stretches | None
    in_behind: Before
    quiet: bool


def _read(piece: Piece) -> _Open:
    of_piece, crlf = calls_of_piece(piece), reads_crlf(piece.after)
    last, lead = of_piece.last, of_piece.lead
    behind = last.values[-1] if last and last.values else None
    texts = [joined(piece.text, value) for value in (of_piece.value, behind or ())]
    before, after = [Before(fences_in(text), returns_in(text, crlf) is not None) for text in texts]
    quiet = not any("\r" in text or LONG_NUMBER.search(text) for text in texts)
    ends = bool(lead.texts) or not of_piece.passes
    return _Open(of_piece.value, before, ends, not lead.texts, lead.closed, behind, after, quiet)


_open: Query[Piece, _Open] = Query("gadget open values", _read)


def _shape(piece: Piece) -> tuple[bool, ...]:
    each = _open(piece)
    return each.ends, each.last, each.closed, each.behind is not None, each.quiet


class _Long(NamedTuple):
    """A value in several pieces, or at the end of a section.

    Shape: it is in the pieces from `first` up to `end`; see `_Open` for `last` and `closed`.
    """

    first: int
    end: int
    last: bool
    closed: bool

    def moved(self, first: int, end: int) -> _Long:
        """The same value where its pieces have other numbers."""
        return self._replace(first=self.first + first, end=self.end + end) if first or end else self


def _long_values(section: Section) -> tuple[_Long, ...]:
    pieces = section.pieces
    if not section.is_long and not calls_of_piece(pieces[0]).goes_on:
        return ()
    if section.renews:
        before = _values.known(section.renews.section)
        same = None if before is None else _with_other_pieces(before, section.renews)
        if same is not None:
            return same
    found: list[_Long] = []
    first, quiet = -1, True
    for number, each in enumerate(map(_open, pieces)):
        quiet = quiet and each.quiet
        if each.ends and first >= 0:
            if each.last or not quiet:
                found.append(_Long(first, number + 1, each.last, each.closed))
            first = -1
        if each.behind is not None:
            first, quiet = number, each.quiet
    if first >= 0:
        found.append(_Long(first, len(pieces), True, False))
    return (*found,)


_values: Query[Section, tuple[_Long, ...]] = Query("gadget long values", _long_values, lasting=True)
"""The long values of a section that may have problems."""


def _with_other_pieces(values: tuple[_Long, ...], renewal: Renewal) -> tuple[_Long, ...] | None:
    """The long values of a section after an edit that changes nothing about where values are; None after another."""
    _, first, _, gone, come = renewal
    moved, behind = renewal.moved, first + len(gone)
    if not moved:
        return values if [*map(_shape, gone)] == [*map(_shape, come)] else None
    shape = _shape_of_run(gone)
    if shape is None or shape != _shape_of_run(come):
        return None
    found = []
    for value in values:
        if first <= value.first < behind or first < value.end <= behind:
            return None
        found.append(value.moved(moved if value.first >= behind else 0, moved if value.end > behind else 0))
    return (*found,)


def _shape_of_run(pieces: Sequence[Piece]) -> tuple[object, ...] | None:
    """What several pieces together show of values before them and after; None where one in them matters."""
    ended: object = None
    open_value, quiet = "before", True
    for each in map(_open, pieces):
        quiet = quiet and each.quiet
        if each.ends and open_value:
            if open_value == "before":
                ended = each.last, each.closed, quiet
            elif each.last or not quiet:
                return None
            open_value = ""
        if each.behind is not None:
            open_value, quiet = "behind", each.quiet
    return ended, open_value, quiet or not open_value


class _Judged(NamedTuple):
    """What happens to a long value.

    Shape: places count from the start of the first of its pieces. Of those before the piece with the number `read`
           nothing but `_matter` has been looked at.
    """

    value: _Long
    read: int
    lost: tuple[ValueProblem, ...]


def _judge_all(section: Section) -> tuple[_Judged, ...]:
    values = _values(section)
    if not values:
        return ()
    before = (section.renews and _judged.known(section.renews.section)) or ()
    still = [_still(each, section.renews) for each in before] if section.renews else ()
    known = {each.value: each for each in still if each is not None}
    return tuple([known.get(value) or _judge(section.pieces[value.first : value.end], value) for value in values])


def _still(judged: _Judged, renewal: Renewal) -> _Judged | None:
    """What happens to a value after an edit that touches nothing that was read to say so; None after another."""
    (first, end, *_), read, lost = judged
    _, start, _, gone, come = renewal
    moved = renewal.moved
    if end <= start:
        return judged
    if first >= start + len(gone):
        return judged._replace(value=judged.value.moved(moved, moved))
    if lost or first > start or start + len(gone) > first + read:
        return None
    if not moved and first == start:
        same = [*map(_matter, gone)] == [*map(_matter, come)]
    else:
        same = first < start and _inner(gone) == _inner(come)
    return judged._replace(value=judged.value.moved(0, moved), read=read + moved) if same else None


def _matter(piece: Piece) -> tuple[object, ...]:
    """What matters of a piece in which a value does not end. Shape: see `_Open`."""
    each = _open(piece)
    return each.in_before, bool(each.before), each.in_behind, bool(each.behind), reads_crlf(piece.after)


def _inner(pieces: Sequence[Piece]) -> tuple[object, ...]:
    """What matters of the inner pieces of a value."""
    fences, returned, written = 0, False, False
    for each in map(_open, pieces):
        fences += each.in_before.fences
        returned = returned or each.in_before.returned
        written = written or bool(each.before)
    return fences, returned, written


_judged: Query[Section, tuple[_Judged, ...]] = Query("gadget long values judged", _judge_all, lasting=True)


def problems_of_long_values(section: Section, wanted: Container[Rule]) -> Iterator[Spread]:
    """The problems of the values that are open where a piece ends."""
    for value, _, lost in _judged(section):
        for kind, start, end, data in lost:
            if kind in wanted:
                at = section.up_to(value.first).length
                yield Spread(section.piece_at(at + start)[0], [Problem(kind, at + start, at + end, data)])


def _judge(pieces: tuple[Piece, ...], value: _Long) -> _Judged:
    """What happens to a long value; only the end of it is read, if it is long."""
    call = calls_of_piece(pieces[0]).last
    if call is not None and call.texts[-1:] == ("",):
        return _Judged(value, 0, ())  # without a pointer, the whole value is dropped
    crlf = reads_crlf(pieces[0].after)
    parts = [_open(pieces[0]).behind or (), *[_open(piece).before for piece in pieces[1:]]]
    texts: list[str] = []
    first = len(parts)
    while first:
        first -= 1
        texts.append(joined(pieces[first].text, parts[first]))
        if texts[-1] and (not value.last or (not texts[-1].isspace() and kept_of("".join(texts[::-1]), True, crlf))):
            break
    return _Judged(value, first, (*_lost_of(pieces, value, parts, first, "".join(texts[::-1])),))


def _lost_of(
    pieces: Sequence[Piece], value: _Long, parts: Sequence[Stretches], first: int, end: str
) -> Iterator[ValueProblem]:
    """The same. Shape: `parts` are the value in each of the pieces, `end` is its text from the piece `first` on."""
    crlf = reads_crlf(pieces[0].after)
    starts = [0, *accumulate([piece.length for piece in pieces])]
    before = None
    if any(parts[:first]):
        known = [_open(pieces[0]).in_behind, *[_open(piece).in_before for piece in pieces[1:first]]]
        before = Before(sum(each.fences for each in known), any(each.returned for each in known))
        if before.returned:
            # it is told where it is first; more of the value is behind it
            number = [each.returned for each in known].index(True)
            text = joined(pieces[number].text, parts[number])
            lost = next(lost_of(text, False, False, crlf, Before(0, False)))
            yield _placed(lost, parts[number], starts[number])
    places = [place + starts[number] for number in range(first, len(parts)) for place in parts[number]]
    for lost in lost_of(end, value.last, value.closed, crlf, before):
        yield _placed(lost, places, 0)


def _placed(lost: ValueProblem, stretches: Sequence[int], at: int) -> ValueProblem:
    start, end = place_in(stretches, lost.start), place_in(stretches, lost.end - 1) + 1
    return ValueProblem(lost.kind, at + start, at + end, lost.data)
