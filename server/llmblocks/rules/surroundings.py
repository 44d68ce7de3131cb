"""The parts of a text that can be read separately, and the fixes in each that prevent a batch from being made."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from typing import NamedTuple

from llmblocks.core.document import Document
from llmblocks.core.edits import edited
from llmblocks.core.layered import Layered
from llmblocks.core.scan import Kind, Token, canonical
from llmblocks.core.sequence import Placed
from llmblocks.languages.language import Language
from llmblocks.rules.fix import Fix


class Surroundings(NamedTuple):
    """Whole lines of a document, from the start of a section on."""

    start: int
    end: int
    last: bool
    """Whether nothing follows them."""
    text: str
    tokens: list[Token]

    def are(self, alone: Document) -> bool:
        """Return whether they have the same meaning as a separate document."""
        return alone.tokens() == self.tokens


def surroundings(document: Document, start: int, end: int, most: int | None = None) -> Surroundings | None:
    """Return the lines around a stretch; None if they are longer than `most`."""
    start, end = document.line_at(start)[0], document.line_at(end)[1]
    first = document.section_at(start)
    resets = resets_of(document)
    while first.start and not (document.slice(first.start - 1, first.start) == "\n" and _is_told(first, resets)):
        first = document.section_at(first.start - 1)
        if most is not None and end - first.start > most:
            return None
    tokens: list[Token] = []
    at = first.start
    told = not resets
    for placed in document.onward(first.start):
        # the first message decides how the text before it is read
        if told and at >= end and document.slice(at - 1, at) == "\n":
            break
        told = told or _is_told(placed, resets)
        at = placed.start + placed.section.length
        if most is not None and at - first.start > most:
            return None
        tokens += placed.section.tokens
    text = document.slice(first.start, at)
    return Surroundings(first.start, at, at == len(document), text, canonical(tokens))


def part_starts(document: Document, language: Language) -> list[int]:
    """Return the starts of the messages, or of the calls, blocks and texts, that can be read separately."""
    resets = resets_of(document)
    found, begins_line = [0], False
    for placed in document.placed():
        section = placed.section
        # an open block continues after a call
        if begins_line and _is_told(placed, resets) and (resets or not language.is_inside(section.before)):
            found.append(placed.start)
        begins_line = section.text.endswith("\n")
    return found


def resets_of(document: Document) -> frozenset[Kind]:
    """Return the kinds of tokens after which no inner construct is open."""
    return document.scanner.outer.resets if isinstance(document.scanner, Layered) else frozenset()


def _is_told(placed: Placed, resets: frozenset[Kind]) -> bool:
    """Return whether a section has values: not a message without its command line."""
    return not resets or any(token.kind in resets for token in placed.section.tokens)


def narrowed(
    text: str,
    starts: Sequence[int],
    fixes: Sequence[Fix],
    news: Iterable[int],
    keeps: Callable[[Sequence[int], int, str, str], bool],
) -> tuple[list[int], list[int]]:
    """Return the indices of the fixes of a batch to try next, and of those that are useless to try again.

    `starts` are those of the parts of the text, `news` the places of unexpected findings after the fixes, caused by
    those of the nearest part up to there. `keeps` judges the values of a part, by its start and its text before and
    after some fixes.
    """
    # where a fix is in two parts, they are one
    first = [*starts]
    for fix in fixes:
        del first[bisect_right(first, fix.start) : bisect_right(first, fix.end)]
    ends = [*first[1:], len(text)]
    parts = [
        (text[first[part] : ends[part]], first[part], [*numbers])
        for part, numbers in groupby(range(len(fixes)), lambda number: bisect_right(first, fixes[number].start) - 1)
    ]
    after = [
        edited(part, [edit.moved(-start) for number in numbers for edit in fixes[number].edits])
        for part, start, numbers in parts
    ]
    begins, grown = [], 0
    for (part, start, _), new in zip(parts, after, strict=True):
        begins.append(start + grown)
        grown += len(new) - len(part)
    causes = {max(bisect_right(begins, place) - 1, 0) for place in news}
    left: list[int] = []
    refused: list[int] = []
    for group, ((part, start, numbers), new) in enumerate(zip(parts, after, strict=True)):
        if group not in causes and keeps(numbers, start, part, new):
            left += numbers
        elif len(numbers) == 1:
            refused += numbers
        else:
            left += numbers[: len(numbers) // 2]
    if refused or 0 < len(left) < len(fixes):
        return left, refused
    # nothing shows which one it is
    return [*range(len(fixes) // 2)], []
