"""The values that do not end in the piece in which they begin: what the runtime loses of them."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple

from llmblocks.core.layered import reads_crlf
from llmblocks.core.problem import Problem, ProblemKind, Spread
from llmblocks.core.query import Query
from llmblocks.core.section import Piece, Section
from llmblocks.gadget.editor.long_calls import pieces_of
from llmblocks.gadget.editor.pointers import Stretches, calls_of_piece, joined, place_in
from llmblocks.gadget.editor.values import LONG_NUMBER, Before, ValueProblem, fences_in, kept_of, lost_of, returns_in


class _Open(NamedTuple):
    """The values that are open at the ends of a piece.

    Shape: `before` is the one at its start, `behind` the one at its end that begins in it, each with what is in it.
           `ends` says that the first one ends in the piece, `last` that it is then the last of its call, `closed` that
           an end marker is behind it. Where `quiet`, nothing in them matters in a value that is not the last one.
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


def _long_values(section: Section) -> tuple[_Long, ...]:
    pieces = section.pieces
    if len(pieces) == 1 and not calls_of_piece(pieces[0]).goes_on:
        return ()
    if section.renews:
        before, pairs = _values.known(section.renews.section), section.renews.pairs
        if before is not None and pairs is not None and all(_shape(old) == _shape(new) for old, new in pairs):
            return before
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


class _Judged(NamedTuple):
    """What happens to a long value.

    Shape: places count from the start of the first of its pieces. Of those in front of the piece with the number `read`
           nothing but `_matter` has been looked at.
    """

    value: _Long
    pieces: tuple[Piece, ...]
    read: int
    lost: tuple[ValueProblem, ...]


def _judge_all(section: Section) -> tuple[_Judged, ...]:
    values = _values(section)
    if not values:
        return ()
    before = (section.renews and _judged.known(section.renews.section)) or ()
    unread = {each.value: each for each in before if _is_unread(section, each)}
    # one value at most goes on behind a piece
    known = {each.pieces[0]: each for each in before}
    found = []
    for value in values:
        pieces = section.pieces[value.first : value.end]
        same = unread.get(value) or known.get(pieces[0])
        if same is not None and value not in unread and (same.value[2:], same.pieces) != (value[2:], pieces):
            same = None
        found.append(_judge(pieces, value) if same is None else same._replace(value=value, pieces=pieces))
    return (*found,)


def _is_unread(section: Section, judged: _Judged) -> bool:
    """Whether nothing was found in a value, and the section has renewed nothing that is read to say so."""
    pairs = section.renews.pairs if section.renews else None
    if judged.lost or not pairs or section.renews is None:
        return False
    first, value = section.renews.head, judged.value
    inside = value.first <= first and first + len(pairs) <= value.first + judged.read
    return inside and all(_matter(old) == _matter(new) for old, new in pairs)


def _matter(piece: Piece) -> tuple[object, ...]:
    """What matters of a piece in which a value does not end. Shape: see `_Open`."""
    each = _open(piece)
    return each.in_before, bool(each.before), each.in_behind, bool(each.behind), reads_crlf(piece.after)


_judged: Query[Section, tuple[_Judged, ...]] = Query("gadget long values judged", _judge_all, lasting=True)


def problems_of_long_values(section: Section, wanted: Container[ProblemKind]) -> Iterator[Spread]:
    """The problems of the values that are open where a piece ends."""
    for value, pieces, _, lost in _judged(section):
        for kind, start, end, data in lost:
            if kind in wanted:
                at = pieces_of(section)[0][value.first]
                number, rest = 0, start
                while rest >= pieces[number].length:
                    rest -= pieces[number].length
                    number += 1
                yield Spread(value.first + number, [Problem(kind, at + start, at + end, data)])


def _judge(pieces: tuple[Piece, ...], value: _Long) -> _Judged:
    """What happens to a long value; only the end of it is read, if it is long."""
    crlf = reads_crlf(pieces[0].after)
    parts = [_open(pieces[0]).behind or (), *[_open(piece).before for piece in pieces[1:]]]
    texts: list[str] = []
    first = len(parts)
    while first:
        first -= 1
        texts.append(joined(pieces[first].text, parts[first]))
        if texts[-1] and (not value.last or (not texts[-1].isspace() and kept_of("".join(texts[::-1]), True, crlf))):
            break
    return _Judged(value, pieces, first, (*_lost_of(pieces, value, parts, first, "".join(texts[::-1])),))


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
