"""The values that do not end in the piece in which they begin: the text that the runtime drops from them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from operator import attrgetter
from typing import Final

from llmblocks.core.layered import reads_crlf
from llmblocks.core.query import Query, Summary
from llmblocks.core.scan import Kind
from llmblocks.core.section import RETURN, Piece, Section
from llmblocks.core.tree import Node
from llmblocks.facts.construct import BEGINS, ENDS, PASSES, Constructs, Run, Turn
from llmblocks.facts.problem import Problem, Stated
from llmblocks.gadget.editor import kinds
from llmblocks.gadget.editor.pointers import TURNS, Stretches, joined, part_of_call, place_in
from llmblocks.gadget.editor.values import (
    Before,
    ValueProblem,
    fences_in,
    has_long_number,
    kept_of,
    lost_of,
    returns_in,
)
from llmblocks.gadget.syntax.values import FENCE


def _read(piece: Piece) -> list[Before]:
    """What is in the values that are open at the ends of a piece: at its start, and at its end, if it begins in it."""
    part, crlf = part_of_call(piece), reads_crlf(piece.after)
    texts = [joined(piece.text, value) for value in (part.value, part.behind or ())]
    return [Before(fences_in(text), returns_in(text, crlf) is not None) for text in texts]


def _nothing_matters(piece: Piece) -> bool:
    """Whether nothing in the values that are open at its ends matters in one that is not the last."""
    part = part_of_call(piece)
    return not (part.value or part.behind) or not (RETURN in piece.kinds or has_long_number(piece))


_inside: Query[Piece, list[Before]] = Query("gadget open values", _read)
_is_quiet: Query[Piece, bool] = Query("nothing matters in gadget open values", _nothing_matters)
_quiet: Summary[bool] = Summary("nothing matters in gadget values", _is_quiet, all)
_kinds_of: Callable[[Piece | Node[Piece]], frozenset[Kind]] = attrgetter("kinds")
_MARKS = TURNS | {kinds.ARG, kinds.POINTER}
_fences: Summary[int] = Summary("fences in a gadget value", lambda piece: _inside(piece)[0].fences, sum)
_returned: Summary[bool] = Summary("a carriage return in a gadget value", lambda piece: _inside(piece)[0].returned, any)


def _turn(piece: Piece) -> Turn:
    part = part_of_call(piece)
    return BEGINS if part.behind is not None else ENDS if part.texts or part.begins or part.closed else PASSES


def judge_last(call: Run) -> Sequence[Problem]:
    """The problems of the last value of a call, if that is in several pieces."""
    if call.last is not None and part_of_call(call.last).texts:
        return ()
    parts: list[Piece | Node[Piece]] = [call.first, *call.between]
    while True:
        plain = [*map(_MARKS.isdisjoint, map(_kinds_of, parts))]
        number = len(parts) - 1 - plain[::-1].index(False)
        part = parts[number]
        if isinstance(part, Piece):
            break
        parts[number : number + 1] = part.children
    if part_of_call(part).behind is None:
        return ()
    found = _judge(Run(part, (*parts[number + 1 :],), call.last), True)
    first = sum([part.length for part in parts[:number]])
    return [problem.moved(first) for problem in found]


def _judge_inner(run: Run) -> Sequence[Problem]:
    """A value that is not the last one of its call."""
    if run.last is None or not part_of_call(run.last).texts or all(map(_quiet, run.parts)):
        return ()
    return _judge(run, False)


def _judge(run: Run, is_last: bool) -> Sequence[Problem]:
    if part_of_call(run.first).texts[-1:] == ("",):
        return ()  # without a pointer, the whole value is dropped
    crlf = reads_crlf(run.first.after)
    # its end, as far back as it says what the runtime keeps
    texts: list[str] = []
    places: list[int] = []
    at = sum([part.length for part in run.parts])
    left = [*run.parts]
    while left:
        part = left.pop()
        if not isinstance(part, Piece):
            left += part.children
            continue
        at -= part.length
        value = _value_in(part, run)
        texts.insert(0, joined(part.text, value))
        places[:0] = [at + place for place in value]
        if texts[0] and (not is_last or (not texts[0].isspace() and kept_of("".join(texts), True, crlf))):
            break
    text, (_, begun) = "".join(texts), _inside(run.first)
    found: list[Problem] = []
    before: Before | None = None
    if left and (part_of_call(run.first).behind or any(kinds.VALUE in part.kinds for part in left[1:])):
        others = left[1:]
        fences = FENCE in text and begun.fences + sum(map(_fences, others))
        returned = begun.returned or any(map(_returned, [part for part in others if RETURN in part.kinds]))
        before = Before(fences, returned)
        if before.returned:
            # it is told where it is first; more of the value is behind it
            found.append(_first_return(left, run, crlf))
    closed = run.last is not None and part_of_call(run.last).closed
    found += [_placed(lost, places, 0) for lost in _lost_of(text, is_last, closed, crlf, before)]
    return found


# a keystroke in front of the end of a value changes nothing there
@lru_cache(maxsize=8)
def _lost_of(text: str, last: bool, closed: bool, crlf: bool, before: Before | None) -> tuple[ValueProblem, ...]:
    return (*lost_of(text, last, closed, crlf, before),)


def _value_in(piece: Piece, run: Run) -> Stretches:
    """Where the value of a run is in one of its pieces."""
    part = part_of_call(piece)
    return (part.behind or ()) if piece is run.first else part.value


def _first_return(parts: Iterable[Piece | Node[Piece]], run: Run, crlf: bool) -> Problem:
    """The first carriage return in a value."""
    at, left = 0, [*parts][::-1]
    while True:
        part = left.pop()
        if not (_inside(run.first)[1].returned if part is run.first else _returned(part)):
            at += part.length
        elif isinstance(part, Piece):
            value = _value_in(part, run)
            lost = next(lost_of(joined(part.text, value), False, False, crlf, Before(0, False)))
            return _placed(lost, value, at)
        else:
            left += reversed(part.children)


def _placed(lost: ValueProblem, stretches: Sequence[int], at: int) -> Problem:
    start, end = place_in(stretches, lost.start), place_in(stretches, lost.end - 1) + 1
    return Problem(lost.kind, at + start, at + end, lost.data)


_VALUES: Final = Constructs("gadget values", _turn, _judge_inner, _MARKS)


def problems_of_inner_values(section: Section) -> Iterable[Stated]:
    """The problems of the values that are open where a piece ends, and are not the last of their calls."""
    return () if _quiet(section.pieces) else _VALUES.in_section(section)
