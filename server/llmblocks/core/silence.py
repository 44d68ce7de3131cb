"""Comments that silence findings."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from llmblocks.core.document import Document
from llmblocks.core.layer import SIGN
from llmblocks.core.section import Piece
from llmblocks.core.sequence import Placed

_WRITTEN = re.compile(r"llmblocks:[ \t]*(?:ignore(-file)?(?:[ \t]*\[([^\[\]\n]*)\])?(?=[ \t\r]|$)|(\S*))")
_CODE = re.compile(r"[^\s,](?:[^,]*[^\s,])?")


class SilencedCode(NamedTuple):
    """A code, the beginning of one, or the name of a rule, as written at a place in a piece."""

    text: str
    start: int
    end: int


class Silence(NamedTuple):
    """A comment that silences findings.

    Shape: places count from the start of the piece; `start` to `end` is the comment. `codes` is empty where it silences
           all. `of_file` says that it holds for the whole text; `unread` is what it says where that is not understood.
    """

    start: int
    end: int
    codes: tuple[SilencedCode, ...] = ()
    of_file: bool = False
    unread: str = ""


class Silencing(NamedTuple):
    """How a format silences findings.

    Shape: `find` gives the comments of a piece that has `SIGN` in it. `reach` says where one stops: it takes the pieces
           from its own on, and its end in the first of them, and gives a number of code points from the start of that
           piece, or None for the end of the text. `ends` says whether a piece can have such an end in it. To write a
           comment, `anchor` gives the start of the line before which it silences what is at a place, and `signs`
           its beginning and its end there. `target` names what it silences.
    """

    find: Callable[[Piece], tuple[Silence, ...]]
    reach: Callable[[Iterator[Piece], int], int | None]
    ends: Callable[[Piece], bool]
    anchor: Callable[[Document, int], int]
    signs: Callable[[Document, int], tuple[str, str]]
    target: str


def pieces_before(document: Document, offset: int) -> Iterator[tuple[Piece, int]]:
    """The piece that holds a place, and those before it, backwards, each with its start."""
    placed: Placed | None = document.section_at(offset)
    while placed is not None:
        start = placed.start + placed.section.length
        for piece in reversed(placed.section.pieces):
            start -= piece.length
            if start <= offset:
                yield piece, start
        placed = document.sections.before(placed)


def read_silence(text: str, at: int, start: int, end: int) -> Silence | None:
    """The silence that a comment states, or None.

    Shape: the comment is from `start` to `end` of the text, what it says begins at `at`.
    """
    found = _WRITTEN.match(text, at, end)
    if found is None:
        return None
    of_file, codes, other = found.groups()
    if other is not None:
        return Silence(start, end, unread=other or SIGN)
    if codes is None:
        return Silence(start, end, (), of_file is not None)
    first = found.start(2)
    listed = tuple([SilencedCode(each[0], first + each.start(), first + each.end()) for each in _CODE.finditer(codes)])
    if not listed:
        return Silence(start, end, unread=found[0].removeprefix(SIGN).strip())
    return Silence(start, end, listed, of_file is not None)
