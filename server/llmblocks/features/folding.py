"""Folding ranges."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from llmblocks.core.nest import Nesting, nest
from llmblocks.core.query import Query
from llmblocks.core.section import Section
from llmblocks.core.sequence import Block
from llmblocks.languages.ask import Ask

_COMMENTS = frozenset(("comment",))
_MANY = 16
_BREAK = re.compile(r"\r\n|\n|\r")


class Fold(NamedTuple):
    """Shape: lines count from 0, as editors count them: a lone `\\r` ends one too. The first one stays visible."""

    start_line: int
    end_line: int
    comment: bool


class Folds(NamedTuple):
    """The folds of a stretch of text: of a section, or of several.

    Shape: lines count from the start of the stretch, and -1 is the last line before it that is not blank. `parts` are
           the folds that sections show alone, each with the line they count from; `folds` are those that only the
           stretch shows. `run` is where a fold begins that goes on behind the stretch, and `stop` where one ends that
           began before it, each None for none. `lines` is how many lines end in the stretch, `last` its last line that
           is not blank.
    """

    parts: tuple[tuple[int, tuple[Fold, ...]], ...]
    folds: tuple[Fold, ...]
    stop: int | None
    run: int | None
    lines: int
    last: int

    def all(self, line: int) -> Iterator[Fold]:
        """Every fold, where the stretch begins on this line."""
        for first, folds in (*self.parts, (0, self.folds)):
            by = line + first
            for start, end, comment in folds:
                yield Fold(start + by, end + by, comment)


class Run(NamedTuple):
    """Folds that count from one line. Shape: `block` is what they depend on, None where that is the whole document."""

    line: int
    folds: Folds
    block: Block | None


def folding(ask: Ask) -> list[Fold]:
    """The calls, arguments, messages, blocks and comments that are longer than a line, in order."""
    found = [fold for run in folding_runs(ask) for fold in run.folds.all(run.line)]
    return sorted(found, key=lambda fold: (fold.start_line, -fold.end_line))


def folding_runs(ask: Ask) -> Iterator[Run]:
    """All folds in runs, of which an edit changes few; those of the last run stand in between the others."""
    find = folds_of_block(ask.language.nesting)
    bare = []
    for block, line in ask.document.sections.blocks():
        folds = find(block)
        bare.append(folds._replace(parts=(), folds=()))
        yield Run(line, folds, block)
    # what no block shows alone
    whole = join(bare)
    if whole.run is not None and whole.last > whole.run:
        whole = whole._replace(folds=(*whole.folds, Fold(whole.run, whole.last, False)))
    yield Run(0, whole, None)


@lru_cache(maxsize=16)
def folds_of_block(nesting: Nesting) -> Query[Block, Folds]:
    """The folds of some neighbouring sections together."""
    # not remembered by section: that would take more memory than the text, to save a millisecond
    return Query("folds of a block", lambda block: join(_of_section(section, nesting) for section in block.sections))


def join(stretches: Iterable[Folds]) -> Folds:
    """The folds of neighbouring stretches together."""
    parts: list[tuple[int, tuple[Fold, ...]]] = []
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
        parts += [(first + line, found) for first, found in each.parts]
        if each.last >= 0:
            last = line + each.last
        line += each.lines
    return Folds((*parts,), (*folds,), stop, run, line, last)


def _of_section(section: Section, nesting: Nesting) -> Folds:
    tokens = section.tokens
    first = next((token.kind for token in tokens if token.kind not in nesting.leads), None)
    begins = first in nesting.breaks
    lines = _Lines(section)
    last = lines.last_before(section.length)
    ends = begins or any(nesting.closes.get(token.kind) in nesting.runs for token in tokens)
    stop = None if not ends else -1 if begins else last
    folds = []
    run = None
    for kind, start, end, closed, _ in nest(section, nesting):
        if kind in nesting.runs and not closed and end == section.length:
            run = lines.of(start)
            continue
        start_line, end_line = lines.of(start), lines.last_before(end)
        if end_line > start_line:
            folds.append(Fold(start_line, end_line, kind in _COMMENTS))
    parts = ((0, (*folds,)),) if folds else ()
    return Folds(parts, (), stop, run, section.newlines + section.returns, last)


class _Lines:
    """The lines of a section. All line breaks are found at once where there are many nodes."""

    def __init__(self, section: Section) -> None:
        self._text = section.text
        self._asked = 0
        self._breaks: list[int] = []
        self._known: dict[int, int] = {}

    def of(self, offset: int) -> int:
        """The line that a place is on."""
        self._asked += 1
        if self._asked < _MANY:
            text = self._text
            returns = text.count("\r", 0, offset)
            return text.count("\n", 0, offset) + (returns - text.count("\r\n", 0, offset) if returns else 0)
        if self._asked == _MANY:
            self._breaks = [found.end() for found in _BREAK.finditer(self._text)]
        return bisect_right(self._breaks, offset)

    def last_before(self, offset: int) -> int:
        """The last line in front of a place that is not blank, -1 for none: blank lines behind a fold stay visible."""
        known = self._known.get(offset)
        if known is None:
            at, text = offset, self._text
            while at and text[at - 1].isspace():
                at -= 1
            known = self._known[offset] = self.of(at - 1) if at else -1
        return known
