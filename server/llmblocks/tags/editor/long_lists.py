"""The attribute lists that do not end in the piece in which they begin."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Container, Iterator, Sequence
from typing import NamedTuple

from llmblocks.core.layered import state_in
from llmblocks.core.problem import Problem, Spread
from llmblocks.core.query import Query
from llmblocks.core.rule import Rule
from llmblocks.core.section import Piece, Section
from llmblocks.tags.editor import kinds
from llmblocks.tags.editor.attribute_problems import LONGEST, Declared, judged
from llmblocks.tags.editor.scanner import LIST, State
from llmblocks.tags.editor.view import tags


class _LongList(NamedTuple):
    """A list with problems. Shape: `first` is the number of its first piece, from whose start places count."""

    first: int
    problems: tuple[Problem, ...]


class LongLists:
    """States the problems of these lists in a section."""

    __slots__ = ("_declared", "_found")

    def __init__(self, declared: Declared) -> None:
        self._declared = declared
        self._found: Query[Section, tuple[_LongList, ...]] = Query(
            "attribute lists of several pieces", self._of_section, lasting=True
        )

    def __call__(self, section: Section, wanted: Container[Rule]) -> Iterator[Spread]:
        """Problems of a long section, in the order of the pieces."""
        for first, problems in self._found(section) if kinds.OPENING in section.root.kinds else ():
            by = section.up_to(first).length
            for each in problems:
                if each.kind in wanted:
                    placed = each.moved(by)
                    yield Spread(section.piece_at(placed.start)[0], (placed,))

    def _of_section(self, section: Section) -> tuple[_LongList, ...]:
        pieces = section.pieces
        first, end = 0, len(pieces)
        before: tuple[_LongList, ...] = ()
        behind: tuple[_LongList, ...] = ()
        known = self._found.known(section.renews.section) if section.renews else None
        if section.renews and known is not None:
            first, end = section.renews.head, end - section.renews.tail
            # from the piece of the list that is open
            passed = 0
            while first and passed <= LONGEST and _is_listing(pieces[first - 1].after):
                first -= 1
                passed += pieces[first].length
            moved = len(pieces) - len(section.renews.section.pieces)
            before = known[: bisect_left(known, first, key=_first)]
            behind = known[bisect_left(known, end - moved, key=_first) :]
            if moved:
                behind = tuple([each._replace(first=each.first + moved) for each in behind])
        return (*before, *self._between(pieces, first, end), *behind)

    def _between(self, pieces: Sequence[Piece], first: int, end: int) -> Iterator[_LongList]:
        """Those that begin in these pieces."""
        for number, piece in enumerate(pieces[first:end], first):
            if not _begins(piece):
                continue
            last, passed = number + 1, 0
            while last < len(pieces) and passed <= LONGEST and _passes(pieces[last]):
                passed += pieces[last].length
                last += 1
            if last < len(pieces) and passed <= LONGEST:
                problems = self._read(pieces[number : last + 1])
                if problems:
                    yield _LongList(number, problems)

    def _read(self, pieces: Sequence[Piece]) -> tuple[Problem, ...]:
        window = Section(pieces)
        tag = [each for each in tags(window) if each.start < pieces[0].length][-1]
        return (*judged(window.text, tag, window.spans(), self._declared),)


def _first(found: _LongList) -> int:
    return found.first


def _is_listing(state: object) -> bool:
    """Whether an attribute list is open in a scanner's state."""
    found = state_in(state, State)
    return found is not None and found.mode == LIST


def _begins(piece: Piece) -> bool:
    """Whether a list begins in a piece and is open at its end."""
    return _is_listing(piece.after) and not _passes(piece)


def _passes(piece: Piece) -> bool:
    """Whether the list that is open where a piece begins is open at its end."""
    return (
        _is_listing(piece.before)
        and _is_listing(piece.after)
        and all(token.kind is not kinds.OPENING for token in piece.tokens)
    )
