"""The lines of a section around a place, as one: the answers about them go with it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llmblocks.core.section import Joined, Piece, Section
from llmblocks.facts.lines import Lines


def state_near(section: Section, offset: int) -> Any:
    """The state of the scanner at a place, or near in front of it."""
    return section.pieces[section.piece_at(offset)[0]].before


def lines_from(section: Section, at: int, goes_on: Callable[[Lines], bool]) -> Lines:
    """The lines from a place on. Shape: `goes_on` is told of each whether the next are wanted, too."""
    taken: list[Piece] = []
    for piece in section.pieces.onward(section.piece_at(at)[0]):
        taken.append(piece)
        if not goes_on(piece):
            break
    return Joined(taken) if section.is_long else section


def lines_between(section: Section, start: int, end: int) -> tuple[int, Lines]:
    """The lines with the text between two places, and where they start."""
    if not section.is_long:
        return 0, section
    first, last = section.piece_at(start)[0], section.piece_at(max(end - 1, start))[0]
    return section.up_to(first).length, Joined(section.pieces[first : last + 1])


def lines_around(
    section: Section, offset: int, is_open: Callable[[Any], object], longest: int
) -> tuple[int, Lines, bool]:
    """The lines in which what is open at a place begins and ends, where they start, and whether these are all.

    Shape: `is_open` says whether it is open in a state of the scanner. Of what is longer than `longest`, these are the
           lines in which it begins.
    """
    pieces = section.pieces
    first = last = section.piece_at(offset)[0]
    while first and is_open(pieces[first].before):
        first -= 1
    length = sum([piece.length for piece in pieces[first : last + 1]])
    while last + 1 < len(pieces) and length <= longest and is_open(pieces[last].after):
        last += 1
        length += pieces[last].length
    goes_on = last + 1 < len(pieces) and is_open(pieces[last].after)
    is_all = length <= longest or (first == last and not goes_on)
    if not section.is_long:
        return 0, section, True
    return section.up_to(first).length, Joined(pieces[first : last + 1 if is_all else first + 1]), is_all
