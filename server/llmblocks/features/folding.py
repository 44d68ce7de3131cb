"""Folding ranges."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from llmblocks.core.lines import Lines
from llmblocks.core.nest import Nesting, is_open, nest
from llmblocks.core.query import Query
from llmblocks.core.section import Section, tokens_in
from llmblocks.core.sequence import Block
from llmblocks.languages.ask import Ask

_COMMENTS = frozenset(("comment",))


class Fold(NamedTuple):
    """A folding range.

    Lines count from 0, as editors count them: a lone `\\r` ends one too. The first line stays visible.
    """

    start_line: int
    end_line: int
    comment: bool


class Folds(NamedTuple):
    """The folds of one or several sections. Lines count from their start; -1 is the last non-blank line before."""

    folds: tuple[Fold, ...]
    stop: int | None
    """The end of a fold that began before."""
    run: int | None
    """The start of a fold that continues after."""
    lines: int
    """The number of lines that end here."""
    last: int
    """The last line that is not blank."""


def folding(ask: Ask) -> list[Fold]:
    """Return the folds of a document, in order: calls, arguments, messages, blocks and comments longer than a line."""
    find = folds_of(ask.language.nesting)
    parts = []
    for block in ask.document.sections.blocks:
        if find.known(block) is None:
            ask.pause()
        parts.append(find(block))
    whole = join(parts)
    found = [*whole.folds]
    if whole.run is not None and whole.last > whole.run:
        found.append(Fold(whole.run, whole.last, False))
    return sorted(found, key=lambda fold: (fold.start_line, -fold.end_line))


@lru_cache(maxsize=16)
def folds_of(nesting: Nesting) -> Query[Block, Folds]:
    """Return the query for the folds of a block."""
    return Query("folds", lambda block: join([_of_section(section, nesting) for section in block]))


def join(parts: Iterable[Folds]) -> Folds:
    """Merge the folds of neighbours."""
    folds: list[Fold] = []
    stop = run = None
    line, last = 0, -1
    for each in parts:
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
        folds += [Fold(start + line, end + line, comment) for start, end, comment in each.folds]
        if each.last >= 0:
            last = line + each.last
        line += each.lines
    return Folds((*folds,), stop, run, line, last)


def _of_section(section: Section, nesting: Nesting) -> Folds:
    text, lines = section.text, Lines(section.text)

    def line(offset: int) -> int:
        return lines.of(offset)[0] - 1

    def last_before(offset: int) -> int:
        """Return the last non-blank line before a place, -1 for none. Blank lines after a fold stay visible."""
        while offset and text[offset - 1].isspace():
            offset -= 1
        return line(offset - 1) if offset else -1

    last = last_before(section.length)
    found: list[Fold] = []
    run = None
    for node in nest(section, nesting):
        start = line(node.start)
        if node.kind in nesting.runs and is_open(node, section):
            run = start
        elif (end := last_before(node.end)) > start:
            found.append(Fold(start, end, node.kind in _COMMENTS))
    comments = ((line(start), line(end - 1)) for _, start, end in tokens_in(section, nesting.line_comments))
    found += [Fold(start, end, True) for start, end in _joined(comments) if end > start]
    begins = nesting.breaks_run(section)
    stop = -1 if begins else last if nesting.closes_run(section) else None
    return Folds((*found,), stop, run, section.breaks, last)


def _joined(runs: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Yield first and last lines, neighbours joined."""
    found: list[tuple[int, int]] = []
    for start, end in runs:
        if found and start <= found[-1][1] + 1:
            found[-1] = found[-1][0], end
        else:
            found.append((start, end))
    return iter(found)
