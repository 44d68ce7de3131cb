"""The calls that the runtime rejects: what the facts about them say, whichever rules are switched off."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from operator import attrgetter
from typing import TYPE_CHECKING, Final, NamedTuple

from llmblocks.core.query import Query
from llmblocks.core.section import Piece, Section
from llmblocks.facts.problem import Facts, Problem, Stated, problems_of
from llmblocks.facts.rule import Rule
from llmblocks.gadget import rules
from llmblocks.gadget.editor.near_call import Head, heads
from llmblocks.gadget.editor.open_calls import OPEN_CALLS
from llmblocks.gadget.editor.pointers import calls_of_piece
from llmblocks.gadget.editor.problems import facts
from llmblocks.gadget.editor.schemas import Judging, judging_of, with_schemas
from llmblocks.gadget.schemas.gadgets import Gadgets
from llmblocks.gadget.syntax.markers import Markers

if TYPE_CHECKING:
    from llmblocks.gadget.editor.settings import GadgetSettings

_STEPS: Final[Mapping[Rule, int]] = {
    rules.MISSING_GADGET_NAME: 0,
    rules.UNKNOWN_GADGET: 0,
    rules.DUPLICATE_POINTER: 1,
    rules.ARRAY_INDEX_GAP: 1,
    rules.INVALID_ARRAY_INDEX: 1,
    rules.POINTER_CONFLICT: 1,
    rules.UNSAFE_POINTER: 1,
    rules.POINTER_TOO_DEEP: 1,
    rules.MISSING_PARAMETER: 2,
    rules.WRONG_TYPE: 2,
    rules.NOT_AN_ALLOWED_VALUE: 2,
    rules.CONSTRAINT_VIOLATED: 2,
}
"""The problems for which the runtime rejects a call, by the step in which it looks for them."""
REJECTING: Final = (*_STEPS,)

_LAST: Final = max(_STEPS.values())

_start: Callable[[Head], int] = attrgetter("start")
_header: Callable[[Head], int] = attrgetter("header")
_start_of: Callable[[Stated], int] = attrgetter("start")


class Rejection(NamedTuple):
    """The error with which the runtime rejects a call. Shape: `start` counts from the piece with the call's header."""

    message: str
    start: int


class Rejections:
    """The rejected calls of documents with some settings. An edit costs the pieces that it makes anew."""

    def __init__(self, stated: Facts, judging: Judging | None) -> None:
        self._facts = stated
        self._judging = judging
        self._of_piece: Query[Piece, dict[int, Rejection]] = Query("rejected calls", self._read_piece)
        self._stated: Query[Section, list[Stated]] = Query(
            "rejected calls in several pieces", lambda section: sorted(stated.in_section(section), key=_start_of)
        )

    def of(self, section: Section, number: int, at: int) -> Rejection | None:
        """The error of a call. Shape: `number` is that of the piece in which its header is, around an offset."""
        piece = section.pieces[number]
        known = heads(piece)
        here = bisect_right(known, at, key=_header) - 1
        found = self._of_piece(piece).get(here)
        if found is not None or here + 1 < len(known) or not calls_of_piece(piece).goes_on:
            return found
        return self._of_long(section, number, known[here].start)

    def _of_long(self, section: Section, number: int, start: int) -> Rejection | None:
        """The error of a call that does not end in its piece, or has no end."""
        first = section.up_to(number).length
        run = OPEN_CALLS.from_piece(section, number)
        end = first + sum([part.length for part in run.parts])
        if run.last is not None and (begun := heads(run.last)):
            end -= run.last.length - begun[0].start
        every = self._stated(section)
        found: Problem | None = None
        for at in range(bisect_left(every, first, key=_start_of), len(every)):
            if every[at].start >= end or (found is not None and _STEPS[found.kind] < _LAST):
                break
            own = [each for each in every[at].problems() if _rejects(each) and first + start <= each.start < end]
            found = _first([*filter(None, (found,)), *own])
        if found is not None and _STEPS[found.kind] == _LAST and self._judging is not None:
            # of these the runtime finds the first one of the schema, not of the text
            judged = self._judging.judged(section, number)
            found, first = next(filter(_rejects, judged)), 0
        return None if found is None else Rejection(found.kind.says(found.data), found.start - first)

    def _read_piece(self, piece: Piece) -> dict[int, Rejection]:
        if not calls_of_piece(piece).calls:
            return {}
        known = heads(piece)
        by_call: dict[int, list[Problem]] = {}
        for problem in filter(_rejects, problems_of(self._facts.in_piece(piece))):
            by_call.setdefault(bisect_right(known, problem.start, key=_start) - 1, []).append(problem)
        return {
            number: Rejection(first.kind.says(first.data), first.start)
            for number, problems in by_call.items()
            if (first := _first(problems)) is not None
        }


def _rejects(problem: Problem) -> bool:
    return problem.kind in _STEPS and problem.data.get("case") != "server"


def _first(problems: Iterable[Problem]) -> Problem | None:
    """The problem that the runtime tells: it stops at the first one of the first step that finds some."""
    return min(problems, key=lambda each: _STEPS[each.kind], default=None)


def rejections(settings: GadgetSettings) -> Rejections:
    """The rejected calls under some settings."""
    return _rejections(settings.markers, settings.gadgets)


# kept, because the answers are remembered on the pieces under its queries
@lru_cache(maxsize=16)
def _rejections(markers: Markers, gadgets: Gadgets) -> Rejections:
    stated = facts(markers)
    if not gadgets:
        return Rejections(stated, None)
    return Rejections(with_schemas(stated, gadgets, markers.arg), judging_of(gadgets, markers.arg))
