"""The values that go on behind the lines in which they begin: the text that the runtime drops from them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from llmblocks.core.layered import reads_crlf
from llmblocks.core.section import RETURN
from llmblocks.facts.lines import Lines, of_lines
from llmblocks.facts.open_construct import Construct, OpenFact, Shown
from llmblocks.facts.problem import Problem
from llmblocks.gadget.editor import kinds
from llmblocks.gadget.editor.pointers import VALUES, CallPart, joined, part_of_call, place_in
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


def _read(lines: Lines) -> list[Before]:
    """What is in the values that are open at the start of some lines, and at their end, if it begins there."""
    part, crlf = part_of_call(lines), reads_crlf(lines.after)
    texts = [joined(lines.text, value) for value in (part.value, part.behind or ())]
    return [Before(fences_in(text), returns_in(text, crlf) is not None) for text in texts]


def _may_matter(lines: Lines) -> bool:
    """Whether something in the values that are open at the ends may matter in one that is not the last."""
    part = part_of_call(lines)
    return bool(part.value or part.behind) and (RETURN in lines.kinds or has_long_number(lines))


_inside = of_lines("gadget open values", _read)
_VALUE = frozenset((kinds.VALUE,))
_RETURN = frozenset((RETURN,))
_more: Shown[bool] = Shown("more of a gadget value", lambda _: True, any, _VALUE)
_fences: Shown[int] = Shown("fences in a gadget value", lambda lines: _inside(lines)[0].fences, sum)
_returned: Shown[bool] = Shown(
    "carriage return in a gadget value", lambda each: _inside(each)[0].returned, any, _RETURN
)
_matters: Shown[bool] = Shown("matters in gadget values", of_lines("matters in gadget open values", _may_matter), any)


def judge_last(call: Construct[CallPart]) -> Sequence[Problem]:
    """The problems of the last value of a call, if that goes on behind the lines in which it begins."""
    end = call.end
    found = None if end and end.texts else call.last_of(VALUES)
    return [problem.moved(found[0]) for problem in _judge(found[1], True)] if found else ()


def _judge_inner(value: Construct[CallPart], _: object) -> Sequence[Problem]:
    """A value that is not the last one of its call."""
    end = value.end
    if not end or not end.texts or not (_matters(value.first) or True in value.shown(_matters)):
        return ()
    return _judge(value, False)


def _judge(value: Construct[CallPart], is_last: bool) -> Sequence[Problem]:
    begun = value.begun
    if begun.texts[-1:] == ("",):
        return ()  # without a pointer, the whole value is dropped
    crlf = reads_crlf(value.first.after)
    # its end, as far back as it says what the runtime keeps
    texts: list[str] = []
    places: list[int] = []
    front: Construct[CallPart] | None = None
    for (at, lines, part), front in value.backward():
        stretches = part.value if front else begun.behind or ()
        texts.insert(0, joined(lines.text, stretches))
        places[:0] = [at + place for place in stretches]
        if texts[0] and (not is_last or (not texts[0].isspace() and kept_of("".join(texts), True, crlf))):
            break
    text, (_, inside) = "".join(texts), _inside(value.first)
    found: list[Problem] = []
    before: Before | None = None
    if front and (begun.behind or True in front.shown(_more)):
        fences = inside.fences + sum(front.shown(_fences)) if FENCE in text else 0
        before = Before(fences, inside.returned or True in front.shown(_returned))
        if before.returned:
            # it is told where it is first; more of the value is behind it
            found.append(_first_return(value, crlf))
    end = value.end
    closed = end is not None and end.closed
    found += [_placed(lost, places, 0) for lost in _lost_of(text, is_last, closed, crlf, before)]
    return found


# a keystroke in front of the end of a value changes nothing there
@lru_cache(maxsize=8)
def _lost_of(text: str, last: bool, closed: bool, crlf: bool, before: Before | None) -> tuple[ValueProblem, ...]:
    return (*lost_of(text, last, closed, crlf, before),)


def _first_return(value: Construct[CallPart], crlf: bool) -> Problem:
    """The first carriage return in a value."""
    for at, lines, part in value.lots(_returned):
        stretches = part.value if at else part.behind or ()
        for lost in lost_of(joined(lines.text, stretches), False, False, crlf, Before(0, False)):
            return _placed(lost, stretches, at)
    raise AssertionError("the value has one")


def _placed(lost: ValueProblem, stretches: Sequence[int], at: int) -> Problem:
    start, end = place_in(stretches, lost.start), place_in(stretches, lost.end - 1) + 1
    return Problem(lost.kind, at + start, at + end, lost.data)


OPEN_VALUES: Final = OpenFact(VALUES, _judge_inner, only=_matters)
