"""The semantic tokens of stretches of text, as the protocol's numbers."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from llmblocks.contract.paint import MODIFIERS, ROLES
from llmblocks.lsp.documents.columns import Encoding, line_breaks, units

if TYPE_CHECKING:
    from llmblocks.contract.paint import Paints
    from llmblocks.core.query import Query
    from llmblocks.core.section import Section
    from llmblocks.core.sequence import Block

_NUMBERS = {role: number for number, role in enumerate(ROLES)}
_BITS = {modifier: 1 << number for number, modifier in enumerate(MODIFIERS)}


class Encoded(NamedTuple):
    """The tokens of a stretch of text.

    Shape: `line` and `character` are where the first one begins, from the start of the stretch, and -1 where there is
           none; `numbers` is what follows these two in the protocol's list, which has `amount` numbers with them.
           `last_line` and `last_character` are where the last one begins. `lines` is how many line breaks there are,
           `tail` how long the text after the last of them is. `parts` are the stretches that this one was made of, if
           it was: those that an edit has left alone are the same objects.
    """

    line: int
    character: int
    numbers: str
    amount: int
    last_line: int
    last_character: int
    lines: int
    tail: int
    parts: tuple[Encoded, ...] = ()


@lru_cache(maxsize=16)
def of_section(paints: Paints, encoding: Encoding) -> Query[Section, Encoded]:
    """The tokens of a section."""
    from llmblocks.core.query import Query

    return Query("semantic tokens", lambda section: encode(section, paints, encoding))


@lru_cache(maxsize=16)
def of_block(paints: Paints, encoding: Encoding) -> Query[Block, Encoded]:
    """The tokens of some neighbouring sections together."""
    from llmblocks.core.query import Query

    find = of_section(paints, encoding)
    return Query("semantic tokens of a block", lambda block: join(map(find, block)))


def encode(section: Section, paints: Paints, encoding: Encoding, start: int = 0, end: int = sys.maxsize) -> Encoded:
    """The tokens of a section that have something between two places of it."""
    from llmblocks.features.paint import paint
    from llmblocks.lsp.documents.cursor import Cursor

    cursor = Cursor(section, encoding)
    numbers: list[str] = []
    first: tuple[int, int] = (-1, 0)
    line = character = 0
    for first_place, last_place, role, modifiers in paint(section, paints.by_kind):
        if last_place <= start or first_place >= end:
            continue
        at = cursor.place(first_place)
        length = cursor.place(last_place).character - at.character
        if first[0] < 0:
            first = at
        else:
            same = at.line == line
            numbers.append(f"{at.line - line},{at.character - character if same else at.character}")
        numbers.append(f"{length},{_NUMBERS[role]},{sum([_BITS[each] for each in modifiers])}")
        line, character = at
    text = section.text
    lines = section.newlines + section.returns
    last = len(text) if text.endswith("\n") else line_breaks(text, 0, len(text), section.returns > 0)[1]
    written = ",".join(numbers)
    total = written.count(",") + 3 if written else 0
    return Encoded(*first, written, total, line, character, lines, units(text[last:], encoding))


def join(parts: Iterable[Encoded]) -> Encoded:
    """The tokens of neighbouring stretches together."""
    parts = (*parts,)
    if len(parts) == 1:
        return parts[0]
    first: tuple[int, int] = (-1, 0)
    numbers: list[str] = []
    total = line = column = last_line = last_character = 0
    for start, character, inner, inside, to_line, to_character, lines, tail, _ in parts:
        if start >= 0:
            at_line, at = line + start, character if start else column + character
            if first[0] < 0:
                first = at_line, at
            elif at_line == last_line:
                numbers.append(f"0,{at - last_character}")
            else:
                numbers.append(f"{at_line - last_line},{at}")
            numbers.append(inner)
            total += inside
            last_line, last_character = line + to_line, to_character if to_line else column + to_character
        column = tail if lines else column + tail
        line += lines
    return Encoded(*first, ",".join(numbers), total, last_line, last_character, line, column, parts)


def listed(found: Encoded, line: int = 0, column: int = 0) -> str:
    """The protocol's list of numbers for a stretch that begins at a line and column; empty without tokens."""
    if found.line < 0:
        return ""
    return f"{line + found.line},{found.character if found.line else column + found.character},{found.numbers}"
