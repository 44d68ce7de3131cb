"""Pieces and sections: the immutable parts of a document."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate
from operator import add, attrgetter
from typing import Any, NamedTuple

from llmblocks.core.scan import Kind, Token

STRETCH = 64
"""The most pieces in a stretch; a section with no more has none."""

_length: Callable[[Piece | Measure], int] = attrgetter("length")
newlines: Callable[[Piece | Measure], int] = attrgetter("newlines")
_returns: Callable[[Piece | Measure], int] = attrgetter("returns")


class Remembers:
    """An immutable object that keeps the answers of queries about it (see `core.query`)."""

    __slots__ = ("memory",)

    memory: dict[Any, Any] | None


class Piece(Remembers):
    """A stretch of text and its tokens: the unit of rescanning.

    Shape: `before` and `after` are the scanner's states at its two ends; `head` says that a section begins with it.
           `newlines` counts `\\n`, `returns` counts every `\\r` that no `\\n` follows. `block` is the number of the
           block of sections that it is in: `Sections` writes it, and finds the piece again by it.
    """

    __slots__ = ("after", "before", "block", "head", "length", "newlines", "returns", "text", "tokens")

    def __init__(self, text: str, tokens: list[Token], before: Any, after: Any, head: bool) -> None:
        self.memory = None
        self.block = -1
        self.text = text
        self.length = len(text)
        self.tokens = tokens
        self.before = before
        self.after = after
        self.head = head
        self.newlines = text.count("\n")
        self.returns = text.count("\r") - text.count("\r\n") if "\r" in text else 0


class Measure(NamedTuple):
    """The size of some neighbouring pieces. Shape: `pieces` is their number; see `Piece` for the others."""

    pieces: int
    length: int
    newlines: int
    returns: int


_NOTHING = Measure(0, 0, 0, 0)


class Stretch(Remembers):
    """Some neighbouring pieces of a section with many, and their measure.

    An edit makes those anew that hold what it touches, so that a query about a section can ask one about them.
    """

    __slots__ = ("measure", "pieces")

    def __init__(self, pieces: tuple[Piece, ...]) -> None:
        self.memory = None
        self.pieces = pieces
        self.measure = _measure(pieces)


class Span(NamedTuple):
    """A token at its place. Shape: `start` and `end` in code points from the start of the section."""

    kind: Kind
    start: int
    end: int


class Renewal(NamedTuple):
    """How a section differs from the one whose place it took.

    Shape: the first `head` and the last `tail` pieces of both are the same objects.
    """

    section: Section
    head: int
    tail: int

    def pairs(self, section: Section) -> list[tuple[Piece, Piece]] | None:
        """The pieces that differ, the old one and the new one; None where there is another number of them."""
        old, new = self.section.pieces, section.pieces
        if len(old) != len(new):
            return None
        end = len(new) - self.tail
        return [*zip(old[self.head : end], new[self.head : end], strict=True)]


class Section(Remembers):
    """One message, one top-level block, or one run of text. It never changes, and is independent of its position.

    An edit replaces the sections that it touches; every other one stays the same object, and with it all that was
    remembered on it.

    Shape: `finding_count` comes from the document's `count_findings`. `is_last` says that the document ends with it.
           `renews` is the section that this long one has replaced, so that a query can see what has not changed; None
           once there is a newer one. `stretches` are the pieces of a section with many again, some neighbours at a
           time, `_ends` the sums of their measures up to the end of each, one list for each field.
    """

    __slots__ = ("_ends", "finding_count", "is_last", "length", "newlines", "pieces", "renews", "returns", "stretches")

    def __init__(self, pieces: tuple[Piece, ...], renews: Renewal | None = None) -> None:
        self.pieces = pieces
        self.memory = None
        self.renews = renews
        self.finding_count = 0
        self.is_last = False
        self.stretches: tuple[Stretch, ...] = ()
        self._ends: tuple[list[int], ...] = ()
        if len(pieces) == 1:
            piece = pieces[0]
            self.length = piece.length
            self.newlines = piece.newlines
            self.returns = piece.returns
        elif len(pieces) <= STRETCH:
            _, self.length, self.newlines, self.returns = _measure(pieces)
        else:
            self.stretches = _stretches(pieces, renews)
            columns = zip(*[each.measure for each in self.stretches], strict=True)
            self._ends = tuple([[*accumulate(column)] for column in columns])
            _, self.length, self.newlines, self.returns = [ends[-1] for ends in self._ends]

    @property
    def text(self) -> str:
        pieces = self.pieces
        return pieces[0].text if len(pieces) == 1 else "".join(piece.text for piece in pieces)

    @property
    def tokens(self) -> list[Token]:
        pieces = self.pieces
        return pieces[0].tokens if len(pieces) == 1 else [token for piece in pieces for token in piece.tokens]

    @property
    def before(self) -> Any:
        """The scanner's state at its start."""
        return self.pieces[0].before

    @property
    def after(self) -> Any:
        """The scanner's state at its end."""
        return self.pieces[-1].after

    def spans(self) -> Iterator[Span]:
        """The tokens with their places, split tokens joined."""
        kind, start, at = None, 0, 0
        for token in self.tokens:
            if token.kind is not kind or not token.kind.merges:
                if kind is not None:
                    yield Span(kind, start, at)
                kind, start = token.kind, at
            at += token.width
        if kind is not None:
            yield Span(kind, start, at)

    def up_to(self, number: int) -> Measure:
        """The pieces in front of the one with this number."""
        return next(self.up_to_each((number,)))

    def up_to_each(self, numbers: Iterable[int]) -> Iterator[Measure]:
        """The same for several numbers, which ascend."""
        found = _NOTHING
        for number in numbers:
            if self.stretches and number >= self._ends[0][0]:
                # what is left is in one stretch
                index = bisect_right(self._ends[0], number) - 1
                if found.pieces < self._ends[0][index]:
                    found = Measure(*[ends[index] for ends in self._ends])
            found = Measure(*map(add, found, _measure(self.pieces[found.pieces : number])))
            yield found

    def piece_at(self, offset: int, size: Callable[[Piece | Measure], int] = _length) -> tuple[int, int]:
        """The number of the piece that holds an offset, and the offset in it; the last one where the section ends.

        Shape: `size` is what is counted: `newlines` finds the piece with the newline of a number that counts from 0.
        """
        number, pieces, stretches = 0, self.pieces, self.stretches
        if stretches:
            ends = self._ends[1] if size is _length else [*accumulate([size(each.measure) for each in stretches])]
            index = min(bisect_right(ends, offset), len(stretches) - 1)
            if index:
                number, offset = self._ends[0][index - 1], offset - ends[index - 1]
            pieces = stretches[index].pieces
        ends = [0, *accumulate(map(size, pieces))]
        index = min(bisect_right(ends, offset), len(pieces)) - 1
        return number + index, offset - ends[index]

    def slice(self, start: int, end: int) -> str:
        """The text between two offsets in the section; the cost is that of the pieces between them."""
        pieces = self.pieces
        if len(pieces) == 1:
            return pieces[0].text[start:end]
        number, inside = self.piece_at(start)
        at = start - inside
        parts = []
        while number < len(pieces) and at < end:
            piece = pieces[number]
            parts.append(piece.text[max(start - at, 0) : end - at])
            at += piece.length
            number += 1
        return "".join(parts)

    def line_before(self, offset: int) -> str:
        """The text before an offset on its line; the cost is that of the line if the section has one piece."""
        if not offset:
            return ""
        number, last = self.piece_at(offset - 1)
        text = self.pieces[number].text
        return text[text.rfind("\n", 0, last + 1) + 1 : last + 1]


def _measure(pieces: Sequence[Piece]) -> Measure:
    return Measure(len(pieces), sum(map(_length, pieces)), sum(map(newlines, pieces)), sum(map(_returns, pieces)))


def _stretches(pieces: tuple[Piece, ...], renews: Renewal | None) -> tuple[Stretch, ...]:
    """The stretches of these pieces; those of the section before them, where nothing has changed."""
    known = renews.section.stretches if renews else ()
    head = tail = first = 0
    last = len(known)
    if renews:
        while first < last and head + len(known[first].pieces) <= renews.head:
            head += len(known[first].pieces)
            first += 1
        while last > first and tail + len(known[last - 1].pieces) <= renews.tail:
            last -= 1
            tail += len(known[last].pieces)
    between = pieces[head : len(pieces) - tail]
    # as long as each other: a short one for each piece that comes would soon be one for each piece
    size = -(-len(between) // (-(-len(between) // STRETCH) or 1)) or 1
    made = [Stretch(between[at : at + size]) for at in range(0, len(between), size)]
    return (*known[:first], *made, *known[last:])
