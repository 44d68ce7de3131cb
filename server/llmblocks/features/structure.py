"""The structure around a place: folding ranges, growing selections, and the two tags of a block."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from llmblocks.core.lines import Lines
from llmblocks.core.nest import Nesting, is_open, nest
from llmblocks.core.query import Query
from llmblocks.core.section import Section, tokens_in
from llmblocks.core.sequence import Placed
from llmblocks.languages.ask import Ask
from llmblocks.languages.language import Language

_COMMENTS = frozenset(("comment",))


class Fold(NamedTuple):
    """A folding range, by lines as editors count them: a lone return ends one, too. The first line stays visible."""

    start_line: int
    end_line: int
    comment: bool


class _SectionFolds(NamedTuple):
    """The folds of a section. Lines count from its start; -1 is the last non-blank line before."""

    folds: list[Fold]
    stop: int | None
    """The end of a fold that began before."""
    run: int | None
    """The start of a fold that continues after."""
    last: int
    """The last line that is not blank."""


def folding(ask: Ask) -> list[Fold]:
    """Return the folds of a document, in order: calls, arguments, messages, blocks and comments longer than a line."""
    find = _folds_in(ask.language.nesting)
    found: list[Fold] = []
    run = last = -1
    for placed in ask.placed():
        own, line = find(placed.section), placed.breaks
        if own.stop is not None and run >= 0:
            end = line + own.stop if own.stop >= 0 else last
            if end > run:
                found.append(Fold(run, end, False))
            run = -1
        if own.run is not None:
            run = line + own.run
        for start, end, comment in own.folds:
            found.append(Fold(start + line, end + line, comment))
        last = line + own.last if own.last >= 0 else last
    if 0 <= run < last:
        found.append(Fold(run, last, False))
    return sorted(found, key=lambda fold: (fold.start_line, -fold.end_line))


@lru_cache(maxsize=16)
def _folds_in(nesting: Nesting) -> Query[Section, _SectionFolds]:
    return Query("folds", lambda section: _of_section(section, nesting))


def _of_section(section: Section, nesting: Nesting) -> _SectionFolds:
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
        else:
            found.append(Fold(start, last_before(node.end), node.kind in _COMMENTS))
    for number, (_, start, end) in enumerate(tokens_in(section, nesting.line_comments)):
        first, end = line(start), line(end - 1)
        # neighbours are one fold
        if number and first <= found[-1].end_line + 1:
            first = found.pop().start_line
        found.append(Fold(first, end, True))
    begins = nesting.breaks_run(section)
    stop = -1 if begins else last if nesting.closes_run(section) else None
    return _SectionFolds([fold for fold in found if fold.end_line > fold.start_line], stop, run, last)


_WORD = re.compile(r"[\w$-]+")
_LONGEST_WORD = 256


class DocumentRange(NamedTuple):
    start: int
    end: int


def selections(ask: Ask) -> list[DocumentRange]:
    """Return the stretches around a position, innermost first; each is longer than the one before and contains it."""
    found: list[DocumentRange] = []
    for start, end in sorted(_around(ask), key=lambda each: each[1] - each[0]):
        last = found[-1] if found else DocumentRange(ask.position, ask.position)
        if start <= last.start and last.end <= end and end - start > last.end - last.start:
            found.append(DocumentRange(start, end))
    return found


def _around(ask: Ask) -> Iterator[tuple[int, int]]:
    document, position = ask.document, ask.position
    placed = document.sections.at(position)
    yield _word(ask)
    inside = position - placed.start
    for start, end in _in_section(placed.section, inside, ask.language):
        yield placed.start + start, placed.start + end
    if ask.language.nesting.runs:
        yield _run(ask, placed)
    yield 0, len(document)


def _word(ask: Ask) -> tuple[int, int]:
    first = max(0, ask.position - _LONGEST_WORD)
    text = ask.document.slice(first, ask.position + _LONGEST_WORD)
    for found in _WORD.finditer(text):
        if found.start() + first <= ask.position <= found.end() + first:
            return found.start() + first, found.end() + first
    return ask.position, ask.position


def _in_section(section: Section, offset: int, language: Language) -> Iterator[tuple[int, int]]:
    spans = [*section.spans()]
    known = [layer.parts() for layer in language.loaded if layer.parts is not None]
    for number, (_, start, end) in enumerate(spans):
        if start <= offset <= end:
            text = section.text[start:end]
            yield from _lines(text, start, offset)
            yield start, start + len(text.rstrip("\r\n"))
            yield start, end
            for parts in known:
                yield from ((first, last) for first, last in parts(section, spans, number) if first <= offset <= last)
    for node in nest(section, language.nesting):
        if node.start <= offset <= node.end:
            yield node.start, node.end


def _lines(text: str, start: int, offset: int) -> Iterator[tuple[int, int]]:
    """Yield the line of a place in a token, without and with the white space around its words."""
    first = text.rfind("\n", 0, offset - start) + 1
    last = text.find("\n", offset - start)
    line = text[first:last].removesuffix("\r") if last >= 0 else text[first:]
    left, right = len(line) - len(line.lstrip()), len(line.rstrip())
    yield start + first + left, start + first + max(left, right)
    yield start + first, start + first + len(line)


def _run(ask: Ask, placed: Placed) -> tuple[int, int]:
    nesting = ask.language.nesting
    for begin in ask.document.backward(placed.start):
        if begin != placed and nesting.closes_run(begin.section):
            return ask.position, ask.position
        if nesting.breaks_run(begin.section):
            break
    else:
        return ask.position, ask.position
    for end in ask.document.onward(placed.start):
        if end != placed and nesting.breaks_run(end.section):
            return begin.start, end.start
        if nesting.closes_run(end.section):
            return begin.start, end.end
    return begin.start, len(ask.document)


def linked(ask: Ask) -> list[DocumentRange]:
    """Return both names of the block whose tag is at a position.

    Empty elsewhere, and for a block that is not closed or contains a call.
    """
    placed = ask.document.sections.at(ask.position)
    section, offset, twins = placed.section, ask.position - placed.start, ask.language.twins
    for found in nest(section, ask.language.nesting):
        if found.kind not in twins or not found.closed or not found.start <= offset <= found.end:
            continue
        names = [each for each in section.spans() if each.kind is twins[found.kind]]
        names = [each for each in names if found.start <= each.start < found.end]
        ends = names[:1] + names[1:][-1:]
        if len(ends) == 2 and any(start <= offset <= end for _, start, end in ends):
            return [DocumentRange(placed.start + start, placed.start + end) for _, start, end in ends]
    return []
