"""Growing selections: a word, a line, a value, an argument, a call, a message."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from llmblocks.core.nest import nest
from llmblocks.core.section import Section
from llmblocks.core.sequence import Placed
from llmblocks.languages.ask import Ask
from llmblocks.languages.language import Language

_WORD = re.compile(r"[\w$-]+")
_LONGEST_WORD = 256
_BLANK = re.compile(r"\r?\n(?:[ \t]*\r?\n)+")


class DocumentRange(NamedTuple):
    """A stretch of text, in code points of the document."""

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
            yield from _paragraph(text, start, offset)
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


def _paragraph(text: str, start: int, offset: int) -> Iterator[tuple[int, int]]:
    """Yield the lines around a place in a token, up to blank lines."""
    here, begin = offset - start, 0
    for found in _BLANK.finditer(text):
        if found.start() >= here:
            yield start + begin, start + found.start()
            return
        begin = found.end()
    if begin <= here:
        yield start + begin, start + len(text.rstrip("\r\n"))


def _run(ask: Ask, placed: Placed) -> tuple[int, int]:
    """Return the message around a section, which may span many."""
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
