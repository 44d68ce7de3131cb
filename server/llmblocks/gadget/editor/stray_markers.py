"""Markers outside of calls, unless a misspelt start marker explains them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from llmblocks.core.query import Summary
from llmblocks.core.section import Section
from llmblocks.facts.lines import Lines, of_lines
from llmblocks.facts.problem import Deferred, Problem
from llmblocks.gadget.editor import kinds
from llmblocks.gadget.editor.misspelt import misspelt_markers
from llmblocks.gadget.rules import ARGUMENT_OUTSIDE_CALL, END_OUTSIDE_CALL
from llmblocks.gadget.syntax.markers import Markers

_Group = tuple[int, tuple[Problem, ...]]
"""The problems of some lines, and where these start."""


class _Strays(NamedTuple):
    """The markers outside of calls in some lines.

    Shape: `unexplained` are the problems that the lines decide, `open` those that a misspelt call that is open at their
           start would explain. `goes_on` says whether one is open at their end; None: as at their start.
    """

    unexplained: tuple[Problem, ...]
    open: tuple[Problem, ...]
    goes_on: bool | None


class _Seen(NamedTuple):
    """The same of neighbouring pieces. `length` is that of their text."""

    length: int
    unexplained: tuple[_Group, ...]
    open: tuple[_Group, ...]
    goes_on: bool | None


class StrayMarkers:
    """The fact: a misspelt start marker explains the markers behind it, its first end marker included.

    It does so up to the next call, block or comment: behind these, text begins anew.
    """

    def __init__(self, markers: Markers) -> None:
        self._in = of_lines("stray markers", lambda lines: _read(lines, markers))
        self._seen: Summary[_Seen] = Summary("stray markers in pieces", self._of, _join)

    def in_lines(self, lines: Lines) -> Iterable[Problem]:
        """The problems that do not depend on the lines before."""
        return self._in(lines).unexplained if kinds.STRAY in lines.kinds else ()

    def in_section(self, section: Section) -> Iterator[Deferred]:
        """The others: no misspelt call is open where a section starts."""
        if kinds.STRAY in section.kinds:
            _, unexplained, still_open, _ = self._seen(section.pieces)
            for at, problems in (*still_open, *unexplained):
                stated = Deferred(problems[0].start, [each.kind for each in problems], lambda found=problems: found)  # type: ignore[misc]
                yield stated.moved(at)

    def _of(self, piece: Lines) -> _Seen:
        found = self._in(piece)
        return _Seen(piece.length, (), ((0, found.open),) if found.open else (), found.goes_on)


stray_markers = lru_cache(maxsize=16)(StrayMarkers)


def _read(lines: Lines, markers: Markers) -> _Strays:
    near = [
        (each.start, each.data["marker"])
        for each in misspelt_markers(lines, markers)
        if each.data["marker"] != markers.arg
    ]
    unexplained: list[Problem] = []
    still_open: list[Problem] = []
    goes_on: bool | None = None
    at = passed = 0
    for kind, width in lines.tokens:
        end = at + width
        while passed < len(near) and near[passed][0] < end:
            goes_on = near[passed][1] == markers.start
            passed += 1
        if kind is kinds.STRAY:
            marker = lines.text[at:end]
            is_end = marker == markers.end
            stated = Problem(END_OUTSIDE_CALL if is_end else ARGUMENT_OUTSIDE_CALL, at, end, {"marker": marker})
            if goes_on is None:
                still_open.append(stated)
            elif not goes_on:
                unexplained.append(stated)
            goes_on = False if is_end else goes_on
        elif not (kind.merges or kind.opaque):
            goes_on = False
        at = end
    return _Strays((*unexplained,), (*still_open,), goes_on)


def _join(parts: Iterable[_Seen]) -> _Seen:
    at = 0
    unexplained: list[_Group] = []
    still_open: list[_Group] = []
    goes_on: bool | None = None
    for each in parts:
        unexplained += _moved(each.unexplained, at)
        if not goes_on:
            (unexplained if goes_on is False else still_open).extend(_moved(each.open, at))
        goes_on = goes_on if each.goes_on is None else each.goes_on
        at += each.length
    return _Seen(at, (*unexplained,), (*still_open,), goes_on)


def _moved(groups: Iterable[_Group], by: int) -> list[_Group]:
    return [(at + by, problems) for at, problems in groups]
