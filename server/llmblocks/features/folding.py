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
    """Shape: lines count from 0 as in editors: a lone `\\r` ends one too. The first line stays visible."""

    start_line: int
    end_line: int
    comment: bool


class Folds(NamedTuple):
    """The folds of a stretch of text: of one or more sections.

    Shape: lines count from the start of the stretch, and -1 is the last line before it that is not blank. `run` is the
           start of a fold that continues after the stretch, `stop` the end of one that began before it, each or None.
           `lines` is the number of line ends in the stretch, `last` its last line that is not blank.
    """

    folds: tuple[Fold, ...]
    stop: int | None
    run: int | None
    lines: int
    last: int


class Run(NamedTuple):
    """Folds counted from one line. Shape: `block` is the block that they depend on, None for the whole document."""

    line: int
    folds: tuple[Fold, ...]
    block: Block | None


def folding(ask: Ask) -> list[Fold]:
    """The calls, arguments, messages, blocks and comments of several lines, in order."""
    return sorted(
        [
            Fold(start + run.line, end + run.line, comment)
            for run in folding_runs(ask)
            for start, end, comment in run.folds
        ],
        key=lambda fold: (fold.start_line, -fold.end_line),
    )


def folding_runs(ask: Ask) -> Iterator[Run]:
    """All folds in runs, of which an edit changes few; those of the last run lie between the others."""
    find = folds_of_block(ask.language.nesting)
    bare = []
    for block, line in ask.document.sections.blocks():
        folds = find(block)
        bare.append(folds._replace(folds=()))
        yield Run(line, folds.folds, block)
    # folds over several blocks
    whole = join(bare)
    found = whole.folds
    if whole.run is not None and whole.last > whole.run:
        found += (Fold(whole.run, whole.last, False),)
    yield Run(0, found, None)


@lru_cache(maxsize=16)
def folds_of_block(nesting: Nesting) -> Query[Block, Folds]:
    """The folds of some neighbouring sections."""
    of_section: Query[Section, Folds] = Query("folds", lambda section: _of_section(section, nesting))
    return Query("folds of a block", lambda block: join(map(of_section, block.sections)))


def join(parts: Iterable[Folds]) -> Folds:
    """The joined folds of neighbouring stretches."""
    folds: list[Fold] = []
    stop = run = None
    line, last = 0, -1
    for part in parts:
        if part.stop is not None:
            end = line + part.stop if part.stop >= 0 else last
            if run is not None:
                if end > run:
                    folds.append(Fold(run, end, False))
                run = None
            elif stop is None:
                stop = end
        if part.run is not None:
            run = line + part.run
        folds += [Fold(start + line, end + line, comment) for start, end, comment in part.folds] if line else part.folds
        if part.last >= 0:
            last = line + part.last
        line += part.lines
    return Folds((*folds,), stop, run, line, last)


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
    return Folds((*folds,), stop, run, section.newlines + section.returns, last)


class _Lines:
    """The lines of a section. With many nodes, all line breaks are found at once."""

    def __init__(self, section: Section) -> None:
        self._text = section.text
        self._asked = 0
        self._breaks: list[int] = []
        self._known: dict[int, int] = {}

    def of(self, offset: int) -> int:
        """The line of an offset."""
        self._asked += 1
        if self._asked < _MANY:
            text = self._text
            returns = text.count("\r", 0, offset)
            return text.count("\n", 0, offset) + (returns - text.count("\r\n", 0, offset) if returns else 0)
        if self._asked == _MANY:
            self._breaks = [found.end() for found in _BREAK.finditer(self._text)]
        return bisect_right(self._breaks, offset)

    def last_before(self, offset: int) -> int:
        """The last line before an offset that is not blank, or -1: blank lines after a fold stay visible."""
        known = self._known.get(offset)
        if known is None:
            at, text = offset, self._text
            while at and text[at - 1].isspace():
                at -= 1
            known = self._known[offset] = self.of(at - 1) if at else -1
        return known
