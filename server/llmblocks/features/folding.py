"""Folding ranges."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from llmblocks.core.nest import Nest, Nesting
from llmblocks.core.query import Query, Summary
from llmblocks.core.section import Piece, Section
from llmblocks.core.sequence import Block
from llmblocks.languages.ask import Ask

LineSpan = tuple[int, int]
"""A first and a last line."""

_COMMENTS = frozenset(("comment",))
_MANY = 16
_DEEP = 16
"""The most nodes around a piece whose folds are remembered."""
_BREAK = re.compile(r"\r\n|\n|\r")


class Fold(NamedTuple):
    """Shape: lines count from 0, as editors count them: a lone `\\r` ends one too. The first one stays visible."""

    start_line: int
    end_line: int
    comment: bool


class FoldPart(NamedTuple):
    """Folds that count from one line. Shape: `piece` is the piece of a long section that shows them, None elsewhere."""

    line: int
    folds: tuple[Fold, ...]
    piece: Piece | None = None


class Folds(NamedTuple):
    """The folds of a stretch of text: of a section, or of several.

    Shape: lines count from the start of the stretch, and -1 is the last line before it that is not blank. `parts` are
           the folds that sections show alone, but for those that pieces of long ones show: `of_pieces`. `folds` are
           those that only the stretch shows. `run` is where a fold begins that goes on after the stretch, and `stop`
           where one ends that began before it, each None for none. `lines` is how many lines end in the stretch,
           `last` its last line that is not blank.
    """

    parts: tuple[FoldPart, ...]
    of_pieces: tuple[FoldPart, ...]
    folds: tuple[Fold, ...]
    stop: int | None
    run: int | None
    lines: int
    last: int


class FoldRun(NamedTuple):
    """Folds whose parts count from one line. Shape: `owner` is what they depend on, None for the whole document."""

    line: int
    parts: Sequence[FoldPart]
    owner: Block | Piece | None

    def all(self) -> Iterator[Fold]:
        """Every fold."""
        for first, folds, _ in self.parts:
            by = self.line + first
            for start, end, comment in folds:
                yield Fold(start + by, end + by, comment)


def folding(ask: Ask) -> list[Fold]:
    """The calls, arguments, messages, blocks and comments that are longer than a line, in order."""
    found = [fold for run in folding_runs(ask) for fold in run.all()]
    return sorted(found, key=lambda fold: (fold.start_line, -fold.end_line))


def folding_runs(ask: Ask) -> Iterator[FoldRun]:
    """All folds in runs, of which an edit changes few; those of the last run stand in between the others."""
    find = folds_of_block(ask.language.nesting)
    bare = []
    for block, line in ask.document.sections.blocks():
        if find.known(block) is None:
            ask.pause()
            _prepare(block, ask)
        folds = find(block)
        bare.append(folds._replace(parts=(), of_pieces=(), folds=()))
        yield FoldRun(line, (*folds.parts, FoldPart(0, folds.folds)), block)
        for first, found, piece in folds.of_pieces:
            yield FoldRun(line + first, (FoldPart(0, found),), piece)
    # what no block shows alone
    whole = join(bare)
    folds_of_whole = whole.folds
    if whole.run is not None and whole.last > whole.run:
        folds_of_whole = (*folds_of_whole, Fold(whole.run, whole.last, False))
    yield FoldRun(0, (FoldPart(0, folds_of_whole),), None)


def _prepare(block: Block, ask: Ask) -> None:
    """Find the folds of the pieces of long sections, with pauses. An edit leaves nearly all of them as they are."""
    nesting = ask.language.nesting
    known = _known_of_piece(nesting)
    for section in block:
        if section.is_long and known.known(section.pieces[-1]) is None:
            walk = Nest(nesting)
            for piece in section.pieces:
                _of_long(piece, nesting, walk, known)
                ask.pause()


@lru_cache(maxsize=16)
def folds_of_block(nesting: Nesting) -> Summary[Folds]:
    """The folds of some neighbouring sections together."""
    known = _known_of_piece(nesting)
    # not remembered by section: that would take more memory than the text, to save a millisecond
    return Summary("folds", lambda section: _of_section(section, nesting, known), join)


def join(stretches: Iterable[Folds]) -> Folds:
    """The folds of neighbouring stretches together."""
    parts: list[FoldPart] = []
    of_pieces: list[FoldPart] = []
    folds: list[Fold] = []
    stop = run = None
    line, last = 0, -1
    for each in stretches:
        if each.stop is not None:
            end = line + each.stop if each.stop >= 0 else last
            if run is not None:
                if end > run:
                    folds.append(Fold(run, end, False))
                run = None
            elif stop is None:
                stop = end
        if each.run is not None:
            run = line + each.run
        parts += [FoldPart(first + line, found) for first, found, _ in each.parts]
        of_pieces += [FoldPart(first + line, found, piece) for first, found, piece in each.of_pieces]
        folds += [Fold(start + line, end + line, comment) for start, end, comment in each.folds]
        if each.last >= 0:
            last = line + each.last
        line += each.lines
    return Folds((*parts,), (*of_pieces,), (*folds,), stop, run, line, last)


class _PieceFolds(NamedTuple):
    """The folds of a piece, with lines counted from its start.

    Shape: -1 is the last line before the piece that is not blank. `folds` begin and end in it. `ended` are the lines at
           which nodes end that began before it, innermost first; `begun` are the kinds and lines of those that go
           on after it. `closes` says that a node ends in it that may go on over several sections. `comments` are the
           runs of line comments that begin or end with the piece.
    """

    folds: tuple[Fold, ...]
    ended: tuple[int, ...]
    begun: tuple[tuple[str, int], ...]
    last: int
    closes: bool
    comments: tuple[LineSpan, ...]


_Known = dict[tuple[str, ...], _PieceFolds]


@lru_cache(maxsize=16)
def _known_of_piece(_: Nesting) -> Query[Piece, _Known]:
    """The folds of a piece of a long section, by the nodes that are open before it."""
    return Query("folds of a piece", lambda _: {})


def _of_section(section: Section, nesting: Nesting, known: Query[Piece, _Known]) -> Folds:
    pieces = section.pieces
    long = section.is_long
    walk = Nest(nesting)
    begun: list[tuple[str, int]] = []
    across: list[Fold] = []
    parts: list[FoldPart] = []
    of_pieces: list[FoldPart] = []
    closes = False
    comments: list[LineSpan] = []
    line, last = 0, -1
    for piece in pieces:
        found = _of_long(piece, nesting, walk, known) if long else _of_piece(piece, nesting, walk)
        for ended in found.ended:
            kind, start = begun.pop()
            end = line + ended if ended >= 0 else last
            if end > start:
                across.append(Fold(start, end, kind in _COMMENTS))
        begun += [(kind, line + start) for kind, start in found.begun]
        if found.folds:
            (of_pieces if long else parts).append(FoldPart(line, found.folds, piece if long else None))
        comments += [(line + start, line + end) for start, end in found.comments]
        if found.last >= 0:
            last = line + found.last
        closes = closes or found.closes
        line += piece.newlines + piece.returns
    run = None
    for kind, start in begun:
        if kind in nesting.runs:
            run = start
        elif last > start:
            across.append(Fold(start, last, kind in _COMMENTS))
    across += [Fold(start, end, True) for start, end in _joined(comments) if end > start]
    if across:
        parts.append(FoldPart(0, (*across,)))
    begins = nesting.breaks_run(pieces)
    stop = None if not (begins or closes) else -1 if begins else last
    return Folds((*parts,), (*of_pieces,), (), stop, run, line, last)


def _of_long(piece: Piece, nesting: Nesting, walk: Nest, known: Query[Piece, _Known]) -> _PieceFolds:
    """The folds of a piece of a long section, remembered on it."""
    if len(walk.open) > _DEEP:
        return _of_piece(piece, nesting, walk)
    of_piece, around = known(piece), (*walk.open,)
    found = of_piece.get(around)
    if found is None:
        of_piece.clear()
        found = of_piece[around] = _of_piece(piece, nesting, walk)
    else:
        walk.pass_over(len(found.ended), [kind for kind, _ in found.begun])
    return found


def _of_piece(piece: Piece, nesting: Nesting, walk: Nest) -> _PieceFolds:
    nodes, ended = walk.take(piece.tokens)
    lines = _Lines(piece.text)
    folds: list[Fold] = []
    begun: list[tuple[str, int]] = []
    for kind, start, end, _, _ in nodes:
        if end < 0:
            begun.append((kind, lines.of(start)))
            continue
        start_line, end_line = lines.of(start), lines.last_before(end)
        if end_line > start_line:
            folds.append(Fold(start_line, end_line, kind in _COMMENTS))
    comments: list[LineSpan] = []
    if not nesting.line_comments.isdisjoint(piece.kinds):
        last = lines.of(piece.length - 1)
        for start_line, end_line in _joined(_line_comments(piece, nesting, lines)):
            if start_line == 0 or end_line == last:
                comments.append((start_line, end_line))
            elif end_line > start_line:
                folds.append(Fold(start_line, end_line, True))
    closes = nesting.closes_run(piece)
    ends = tuple([lines.last_before(end) for _, end, _ in ended])
    return _PieceFolds((*folds,), ends, (*begun,), lines.last_before(piece.length), closes, (*comments,))


def _line_comments(piece: Piece, nesting: Nesting, lines: _Lines) -> Iterator[LineSpan]:
    at = 0
    for kind, width in piece.tokens:
        if kind in nesting.line_comments:
            yield lines.of(at), lines.of(at + width - 1)
        at += width


def _joined(runs: Iterable[LineSpan]) -> list[LineSpan]:
    """Runs of lines, neighbours joined."""
    found: list[LineSpan] = []
    for start, end in runs:
        if found and start <= found[-1][1] + 1:
            found[-1] = found[-1][0], end
        else:
            found.append((start, end))
    return found


class _Lines:
    """The lines of a piece. All line breaks are found at once where there are many nodes."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._asked = 0
        self._breaks: list[int] = []
        self._known: dict[int, int] = {}

    def of(self, offset: int) -> int:
        """The line that a place is on."""
        self._asked += 1
        if self._asked < _MANY:
            text = self._text
            returns = text.count("\r", 0, offset)
            # the place may be between the two characters of a line end
            return text.count("\n", 0, offset) + (returns - text.count("\r\n", 0, offset + 1) if returns else 0)
        if self._asked == _MANY:
            self._breaks = [found.end() for found in _BREAK.finditer(self._text)]
        return bisect_right(self._breaks, offset)

    def last_before(self, offset: int) -> int:
        """The last line before a place that is not blank, -1 for none: blank lines after a fold stay visible."""
        known = self._known.get(offset)
        if known is None:
            at, text = offset, self._text
            while at and text[at - 1].isspace():
                at -= 1
            known = self._known[offset] = self.of(at - 1) if at else -1
        return known
