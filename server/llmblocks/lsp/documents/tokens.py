"""Semantic tokens, as the protocol's numbers."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import compress, count
from operator import attrgetter, is_not
from typing import TYPE_CHECKING, NamedTuple

from llmblocks.core.paint import MODIFIERS, ROLES
from llmblocks.lsp.documents.columns import Encoding, line_breaks, units
from llmblocks.lsp.documents.splice import difference
from llmblocks.lsp.wire.rpc import Json, RawJson

if TYPE_CHECKING:
    from llmblocks.core.paint import Paints
    from llmblocks.core.query import Query
    from llmblocks.core.section import Piece, Section, Stretch
    from llmblocks.core.sequence import Block, Placed
    from llmblocks.lsp.documents.text import AnalysedText

PROVIDER = {
    "legend": {"tokenTypes": list(ROLES), "tokenModifiers": list(MODIFIERS)},
    "full": {"delta": True},
    "range": True,
}
_LARGEST = 1 << 22
"""A larger document is coloured by ranges alone: nobody looks at all of it."""
_STEP = 1 << 15
"""The code points that are coloured between two pauses."""
_NUMBERS = {role: number for number, role in enumerate(ROLES)}
_BITS = {modifier: 1 << number for number, modifier in enumerate(MODIFIERS)}


class Encoded(NamedTuple):
    """The tokens of a stretch of text.

    Shape: `line` and `character` are where the first one begins, from the start of the stretch, and -1 where there is
           none; `numbers` is what follows these two in the protocol's list, which has `amount` numbers with them.
           `last_line` and `last_character` are where the last one begins. `lines` is how many line breaks there are,
           `tail` how long the text behind the last of them is. `parts` are the stretches that this one was made of, if
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
def of_piece(paints: Paints, encoding: Encoding) -> Query[Piece, Encoded]:
    """The tokens of a piece."""
    from llmblocks.core.query import Query

    return Query("semantic tokens of a piece", lambda piece: _encode(piece, paints, encoding))


@lru_cache(maxsize=16)
def of_section(paints: Paints, encoding: Encoding) -> Query[Section, Encoded]:
    """The tokens of a section."""
    from llmblocks.core.query import Query

    find = of_piece(paints, encoding)
    of_stretch: Query[Stretch, Encoded] = Query(
        "semantic tokens of a stretch", lambda stretch: join(map(find, stretch.pieces))
    )
    return Query(
        "semantic tokens",
        lambda section: join(map(of_stretch, section.stretches) if section.stretches else map(find, section.pieces)),
    )


@lru_cache(maxsize=16)
def of_block(paints: Paints, encoding: Encoding) -> Query[Block, Encoded]:
    """The tokens of some neighbouring sections together."""
    from llmblocks.core.query import Query

    find = of_section(paints, encoding)
    return Query("semantic tokens of a block", lambda block: join(map(find, block.sections)))


def _prepare(block: Block, paints: Paints, encoding: Encoding, pause: Callable[[], None]) -> None:
    """Find the tokens of the pieces of a block, with pauses. An edit leaves nearly all of them as they are."""
    find = of_piece(paints, encoding)
    size = 0
    for section in block.sections:
        if find.known(section.pieces[-1]) is None:
            for piece in section.pieces:
                find(piece)
                size += piece.length
                if size > _STEP:
                    pause()
                    size = 0


def _encode(piece: Piece, paints: Paints, encoding: Encoding, start: int = 0, end: int = sys.maxsize) -> Encoded:
    """The tokens of a piece that have something between two places of it."""
    from llmblocks.core.section import Section
    from llmblocks.features.paint import paint
    from llmblocks.lsp.documents.cursor import Cursor

    section = Section((piece,))
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
    text = piece.text
    lines = piece.newlines + piece.returns
    last = len(text) if text.endswith("\n") else line_breaks(text, 0, len(text), piece.returns > 0)[1]
    written = ",".join(numbers)
    total = written.count(",") + 3 if written else 0
    return Encoded(*first, written, total, line, character, lines, units(text[last:], encoding))


class _Walk:
    """Walks over stretches, and computes the distance between the first token of each and the last one before it."""

    __slots__ = ("column", "last_character", "last_line", "line")

    def __init__(self, line: int = 0, column: int = 0) -> None:
        self.line, self.column = line, column
        self.last_line = self.last_character = 0

    def step(self, part: Encoded) -> tuple[int, int]:
        """The first two numbers of a stretch; meaningless where it has no tokens."""
        found = 0, 0
        if part.line >= 0:
            start, character = self.place(part.line, part.character)
            found = start - self.last_line, character - self.last_character if start == self.last_line else character
            self.last_line, self.last_character = self.place(part.last_line, part.last_character)
        self.column = part.tail if part.lines else self.column + part.tail
        self.line += part.lines
        return found

    def place(self, line: int, character: int) -> tuple[int, int]:
        return self.line + line, character if line else self.column + character


def join(parts: Iterable[Encoded]) -> Encoded:
    """The tokens of neighbouring stretches together."""
    parts = (*parts,)
    if len(parts) == 1:
        return parts[0]
    first: tuple[int, int] = (-1, 0)
    numbers: list[str] = []
    total = line = column = last_line = last_character = 0
    # as `_Walk`, spelled out: an edit takes a step for each neighbour of what it changed
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


def _written(parts: Sequence[Encoded], walk: _Walk) -> Iterator[str]:
    """The protocol's list of numbers, in one string for each stretch; empty for those without tokens."""
    for part in parts:
        line, character = walk.step(part)
        yield f"{line},{character},{part.numbers}" if part.line >= 0 else ""


class SentTokens:
    """The tokens of a document that the client has.

    Shape: `_parts` are the blocks of its sections as they were then; those that are still the same objects have not
           changed.
    """

    __slots__ = ("_parts", "_serial")

    def __init__(self) -> None:
        self._parts: list[Encoded] = []
        self._serial = 0

    def full(self, text: AnalysedText, pause: Callable[[], None] = lambda: None) -> Json:
        """All tokens. A very large document has none: it is coloured by ranges alone, as nobody looks at all of it.

        Errors: those of `pause`, which end the work.
        """
        self._parts = self._now(text, pause)
        return RawJson(b'{%b,"data":[%b]}' % (self._result(), _list(_written(self._parts, _Walk()))))

    def delta(self, text: AnalysedText, previous: Json, pause: Callable[[], None] = lambda: None) -> Json:
        """One edit of the numbers of an earlier result; all tokens, where that is not the last result."""
        if not self._serial or previous != str(self._serial):
            return self.full(text, pause)
        old, new = self._parts, self._now(text, pause)
        self._parts = new
        start, removed, added = _difference(old, new)
        edit = b'{"start":%d,"deleteCount":%d,"data":[%b]}' % (start, removed, added) if removed or added else b""
        return RawJson(b'{%b,"edits":[%b]}' % (self._result(), edit))

    def _now(self, text: AnalysedText, pause: Callable[[], None]) -> list[Encoded]:
        if text.size > _LARGEST:
            return []
        find = of_block(text.paints, text.encoding)
        found = []
        for block, _ in text.document.sections.blocks():
            if find.known(block) is None:
                pause()
                _prepare(block, text.paints, text.encoding, pause)
            found.append(find(block))
        return found

    def _result(self) -> bytes:
        self._serial += 1
        return b'"resultId":"%d"' % self._serial


def _difference(old: Sequence[Encoded], new: Sequence[Encoded]) -> tuple[int, int, bytes]:
    """The one edit that makes the numbers of `new` of those of `old`: where, how many go, and what comes.

    Only what differs is looked into: a long stretch is compared by the stretches that it was made of.
    """
    ahead: list[Encoded] = []
    behind: list[Encoded] = []
    while True:
        head, tail = _alike(old, new)
        ahead += new[:head]
        behind[:0] = new[len(new) - tail :]
        old, new = old[head : len(old) - tail], new[head : len(new) - tail]
        if not (len(old) == len(new) == 1 and old[0].parts and new[0].parts):
            break
        old, new = old[0].parts, new[0].parts
    was, now = _region(ahead, old, behind), _region(ahead, new, behind)
    start = sum(map(_amount, ahead))
    splice = difference(was, now)
    if splice is None:
        return start, 0, b""
    first = was.rfind(",", 0, splice.start) + 1
    end = was.find(",", splice.end)
    end = len(was) if end < 0 else end
    added = now[first : len(now) - (len(was) - end)]
    return start + was.count(",", 0, first), _count(was[first:end]), added.encode("ascii")


_amount: Callable[[Encoded], int] = attrgetter("amount")


def _alike(old: Sequence[Encoded], new: Sequence[Encoded]) -> tuple[int, int]:
    """The numbers of equal stretches at the start and at the end."""
    most = min(len(old), len(new))
    head = next(compress(count(), map(is_not, old, new)), most)
    tail = next(compress(count(), map(is_not, reversed(old), reversed(new))), most)
    return head, min(tail, most - head)


def _region(ahead: Sequence[Encoded], parts: Sequence[Encoded], behind: Iterable[Encoded]) -> str:
    """Some stretches, and the first token behind them: its first numbers are the distance to what changed."""
    # places count from the last token in front of the stretches: nothing ahead of it matters
    known = next((number for number in range(len(ahead) - 1, -1, -1) if ahead[number].amount), 0)
    walk = _Walk()
    for part in ahead[known:]:
        walk.step(part)
    found = [*_written(parts, walk)]
    for part in behind:
        written = next(_written((part,), walk))
        if written:
            found.append(",".join(written.split(",", 5)[:5]))
            break
    return ",".join(filter(None, found))


def _count(numbers: str) -> int:
    return numbers.count(",") + 1 if numbers else 0


def _list(written: Iterable[str]) -> bytes:
    return ",".join([each for each in written if each]).encode("ascii")


def between(text: AnalysedText, start: int, end: int) -> Json:
    """The tokens that have something between two places."""
    find = of_piece(text.paints, text.encoding)
    parts: list[Encoded] = []
    first: int | None = None
    for at, piece in _pieces(text, start, end):
        first = at if first is None else first
        whole = start <= at and at + piece.length <= end
        parts.append(find(piece) if whole else _encode(piece, text.paints, text.encoding, start - at, end - at))
    walk = _Walk(*text.position(first)) if first else _Walk()
    return RawJson(b'{"data":[%b]}' % _list(_written(parts, walk)))


def _pieces(text: AnalysedText, start: int, end: int) -> Iterator[tuple[int, Piece]]:
    sections = text.document.sections
    placed: Placed | None = sections.at(start)
    while placed is not None and placed.start < end:
        section = placed.section
        number, _ = section.piece_at(max(start - placed.start, 0))
        at = placed.start + section.up_to(number).length
        for piece in section.pieces[number:]:
            if at >= end:
                return
            yield at, piece
            at += piece.length
        placed = sections.after(placed)
