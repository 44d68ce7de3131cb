"""Semantic tokens as the protocol's numbers: all of them, the changes since then, and those of a range."""

from __future__ import annotations

import sys
from array import array
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from itertools import takewhile
from typing import TYPE_CHECKING, NamedTuple

from llmblocks.contract.paint import MODIFIERS, ROLES
from llmblocks.lsp.documents.places import Cursor, Encoding, Places, SectionPlaces
from llmblocks.lsp.documents.plain import alike
from llmblocks.lsp.wire.rpc import Json
from llmblocks.lsp.wire.values import SemanticTokens, SemanticTokensDelta

if TYPE_CHECKING:
    from llmblocks.contract.paint import Paints
    from llmblocks.core.query import Query
    from llmblocks.core.section import Section
    from llmblocks.core.sequence import Block
    from llmblocks.lsp.documents.text import AnalysedText

_ROLES = {role: number for number, role in enumerate(ROLES)}
_BITS = {modifier: 1 << number for number, modifier in enumerate(MODIFIERS)}
PROVIDER = {
    "legend": {"tokenTypes": list(ROLES), "tokenModifiers": list(MODIFIERS)},
    "full": {"delta": True},
    "range": True,
}
_LARGEST = 1 << 22
"""Larger documents are coloured by ranges only."""
_STEP = 1 << 15
"""The number of code points coloured between two pauses."""
_Token = tuple[int, int, int, int, int]


class Stretch(NamedTuple):
    numbers: array[int]
    """The protocol's numbers. The first token counts from the start of the stretch."""
    last: tuple[int, int]
    """The line and character of the last token, from the start of the stretch."""
    end: tuple[int, int]
    """The line and character of the end."""


class SentTokens:
    """The tokens of a document that the client has."""

    def __init__(self) -> None:
        self._numbers: array[int] = array("I")
        self._serial = 0

    def full(self, text: AnalysedText, pause: Callable[[], None] = lambda: None) -> SemanticTokens:
        """Return all tokens. A very large document has none: clients colour it by visible range."""
        self._numbers = _all(text, pause)
        return {"resultId": self._next(), "data": self._numbers.tolist()}

    def delta(
        self, text: AnalysedText, previous: Json, pause: Callable[[], None] = lambda: None
    ) -> SemanticTokens | SemanticTokensDelta:
        """Return one edit of the numbers of an earlier result; all tokens if that is not the last result."""
        if not self._serial or previous != str(self._serial):
            return self.full(text, pause)
        old, self._numbers = self._numbers, _all(text, pause)
        head, tail = alike(old, self._numbers)
        removed, added = len(old) - tail - head, self._numbers[head : len(self._numbers) - tail].tolist()
        edit = {"start": head, "deleteCount": removed, "data": added}
        return {"resultId": self._next(), "edits": [edit] if removed or added else []}

    def _next(self) -> str:
        self._serial += 1
        return str(self._serial)


def between(text: AnalysedText, places: Places, start: int, end: int) -> SemanticTokens:
    """Return the tokens that touch the text between two code points."""
    found: list[_Token] = []
    for placed in takewhile(lambda placed: placed.start < end, text.document.onward(start)):
        inside = places.in_section(placed)
        found += _in_section(placed.section, inside, text.paints, start - placed.start, end - placed.start)
    return {"data": _numbers(found)[0].tolist()}


def joined(answers: Iterable[SemanticTokens]) -> SemanticTokens:
    return {"data": _join([_whole(each["data"]) for each in answers]).numbers.tolist()}


def _whole(data: list[int]) -> Stretch:
    line = character = 0
    for down, right in zip(data[::5], data[1::5], strict=True):
        line, character = line + down, right if down else character + right
    return Stretch(array("I", data), (line, character), (0, 0))


def _all(text: AnalysedText, pause: Callable[[], None]) -> array[int]:
    if text.size > _LARGEST:
        return array("I")
    of_section, of_block = _queries(text.paints, text.encoding)

    def paint(block: Block) -> Stretch:
        size = _STEP
        # an edit leaves nearly all sections unchanged
        for section in block:
            if of_section.known(section) is None:
                if size >= _STEP:
                    pause()
                    size = 0
                of_section(section)
                size += section.length
        return of_block(block)

    return _join([of_block.known(block) or paint(block) for block in text.document.sections.blocks]).numbers


@lru_cache(maxsize=16)
def _queries(paints: Paints, encoding: Encoding) -> tuple[Query[Section, Stretch], Query[Block, Stretch]]:
    """Return the query for the tokens of a section, and the one for neighbouring sections together."""
    from llmblocks.core.query import Query

    def of_section(section: Section) -> Stretch:
        cursor = Cursor(section, encoding)
        return Stretch(*_numbers(_in_section(section, cursor, paints)), cursor.position(section.length))

    find = Query("semantic tokens", of_section)
    return find, Query("semantic tokens of a block", lambda block: _join(map(find, block)))


def _join(parts: Iterable[Stretch]) -> Stretch:
    """Join the tokens of neighbouring stretches."""
    joined: array[int] = array("I")
    line = column = last_line = last_character = 0
    for numbers, (to_line, to_character), (lines, tail) in parts:
        if numbers:
            down, right = line + numbers[0] - last_line, numbers[1] + (0 if numbers[0] else column)
            joined += array("I", (down, right - (0 if down else last_character))) + numbers[2:]
            last_line, last_character = line + to_line, to_character + (0 if to_line else column)
        line, column = line + lines, tail + (0 if lines else column)
    return Stretch(joined, (last_line, last_character), (line, column))


def _numbers(tokens: Iterable[_Token]) -> tuple[array[int], tuple[int, int]]:
    """Return the protocol's numbers for tokens, and the place of the last one."""
    found: array[int] = array("I")
    line = character = 0
    for down, right, *rest in tokens:
        found.extend((down - line, right - (0 if down > line else character), *rest))
        line, character = down, right
    return found, (line, character)


def _in_section(
    section: Section, inside: SectionPlaces, paints: Paints, start: int = 0, end: int = sys.maxsize
) -> Iterator[_Token]:
    """Yield the tokens of a section that touch the text between two places of it."""
    from llmblocks.features.marks import paint

    for first, last, role, modifiers in paint(section, paints.by_kind):
        if start < last and first < end:
            span = inside.span(first, last)
            line, character = span["start"]["line"], span["start"]["character"]
            length = span["end"]["character"] - character
            yield line, character, length, _ROLES[role], sum([_BITS[each] for each in modifiers])
