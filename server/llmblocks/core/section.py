"""Pieces and sections: the immutable parts of a document."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate, chain
from operator import add, attrgetter
from typing import Any, NamedTuple, overload

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


class Pieces(Sequence[Piece]):
    """The pieces of a section with many, in stretches: an edit rebuilds one or two of these, not all.

    Shape: `ends` are the sums of the measures up to the end of each stretch, one list for each field.
    """

    __slots__ = ("ends", "stretches")

    def __init__(self, stretches: Sequence[Stretch]) -> None:
        columns = zip(*[each.measure for each in stretches], strict=True)
        self.stretches = (*stretches,)
        self.ends: tuple[list[int], ...] = tuple([[*accumulate(column)] for column in columns])

    def __len__(self) -> int:
        return self.ends[0][-1]

    def __iter__(self) -> Iterator[Piece]:
        return chain.from_iterable([each.pieces for each in self.stretches])

    def __reversed__(self) -> Iterator[Piece]:
        return chain.from_iterable([reversed(each.pieces) for each in reversed(self.stretches)])

    @overload
    def __getitem__(self, key: int) -> Piece: ...
    @overload
    def __getitem__(self, key: slice) -> tuple[Piece, ...]: ...
    def __getitem__(self, key: int | slice) -> Piece | tuple[Piece, ...]:
        """Shape: the step of a slice is 1. It costs the stretches that it touches."""
        ends = self.ends[0]
        if not isinstance(key, slice):
            number = key if key >= 0 else key + ends[-1]
            index = bisect_right(ends, number)
            return self.stretches[index].pieces[number - ends[index - 1] if index else number]
        at, last, _ = key.indices(ends[-1])
        found: list[Piece] = []
        while at < last:
            index = bisect_right(ends, at)
            inside = at - ends[index - 1] if index else at
            found += self.stretches[index].pieces[inside : inside + last - at]
            at = ends[index]
        return (*found,)

    def index(self, value: Piece, start: int = 0, stop: int | None = None) -> int:
        """The number of a piece, looked for in all of them."""
        at = 0
        for each in self.stretches:
            if value in each.pieces:
                return at + each.pieces.index(value)
            at += len(each.pieces)
        raise ValueError("the piece is one of another section")

    def up_to(self, stretch: int) -> Measure:
        """The pieces before a stretch."""
        return Measure(*[ends[stretch - 1] for ends in self.ends]) if stretch else _NOTHING

    def replaced(self, head: int, tail: int, pieces: Sequence[Piece]) -> Pieces:
        """These with others between the first and the last ones; the other stretches stay the same objects."""
        known, ends, behind = self.stretches, self.ends[0], len(self) - tail
        first = bisect_right(ends, head)
        last = bisect_left(ends, behind) + 1 if behind else 0
        start, end = ends[first - 1] if first else 0, ends[last - 1] if last else 0
        between = (*self[start:head], *pieces, *self[behind:end])
        if len(between) < STRETCH // 4 and last < len(known):
            # or there would soon be one for each piece
            between, last = (*between, *known[last].pieces), last + 1
        return Pieces((*known[:first], *_stretches(between), *known[last:]))


class Span(NamedTuple):
    """A token at its place. Shape: `start` and `end` in code points from the start of the section."""

    kind: Kind
    start: int
    end: int


class Renewal(NamedTuple):
    """How a section differs from the one whose place it took.

    Shape: the first `head` and the last `tail` pieces of both are the same objects; between them, the pieces in `come`
           have taken the place of those in `gone`.
    """

    section: Section
    head: int
    tail: int
    gone: Sequence[Piece]
    come: Sequence[Piece]

    @property
    def moved(self) -> int:
        """By how much the numbers of the last pieces have grown."""
        return len(self.come) - len(self.gone)


class Section(Remembers):
    """One message, one top-level block, or one run of text. It never changes, and is independent of its position.

    An edit replaces the sections that it touches; every other one stays the same object, and with it all that was
    remembered on it.

    Shape: `finding_count` comes from the document's `count_findings`. `is_last` says that the document ends with it.
           `renews` is the section that this long one has replaced, so that a query can see what has not changed; None
           once there is a newer one. `is_long` says that it has several pieces. `stretches` are the pieces of a section
           with many again, some neighbours at a time.
    """

    __slots__ = (
        "finding_count",
        "is_last",
        "is_long",
        "length",
        "newlines",
        "pieces",
        "renews",
        "returns",
        "stretches",
    )

    def __init__(self, pieces: tuple[Piece, ...] | Pieces, renews: Renewal | None = None) -> None:
        self.memory = None
        self.renews = renews
        self.finding_count = 0
        self.is_last = False
        self.is_long = len(pieces) > 1
        self.stretches: tuple[Stretch, ...] = ()
        self.pieces: tuple[Piece, ...] | Pieces = pieces
        if len(pieces) == 1:
            piece = pieces[0]
            self.length = piece.length
            self.newlines = piece.newlines
            self.returns = piece.returns
        elif isinstance(pieces, tuple) and len(pieces) <= STRETCH:
            _, self.length, self.newlines, self.returns = _measure(pieces)
        else:
            self.pieces = pieces if isinstance(pieces, Pieces) else Pieces(_stretches(pieces))
            self.stretches = self.pieces.stretches
            _, self.length, self.newlines, self.returns = self.pieces.up_to(len(self.stretches))

    def renewed(self, head: int, gone: Sequence[Piece], come: Sequence[Piece]) -> Section:
        """The section that replaces it, with other pieces after the first ones."""
        old, self.renews = self.pieces, None
        tail = len(old) - head - len(gone)
        renewal = Renewal(self, head, tail, gone, come)
        if isinstance(old, Pieces):
            return Section(old.replaced(head, tail, come), renewal)
        return Section((*old[:head], *come, *old[len(old) - tail :]), renewal)

    @property
    def text(self) -> str:
        pieces = self.pieces
        return "".join(piece.text for piece in pieces) if self.is_long else pieces[0].text

    @property
    def tokens(self) -> list[Token]:
        pieces = self.pieces
        return [token for piece in pieces for token in piece.tokens] if self.is_long else pieces[0].tokens

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
        """The pieces before the one with this number."""
        return next(self.up_to_each((number,)))

    def up_to_each(self, numbers: Iterable[int]) -> Iterator[Measure]:
        """The same for several numbers, which ascend."""
        found = _NOTHING
        for number in numbers:
            if isinstance(self.pieces, Pieces):
                # what is left is in one stretch
                ahead = self.pieces.up_to(bisect_right(self.pieces.ends[0], number))
                found = max(found, ahead)
            found = Measure(*map(add, found, _measure(self.pieces[found.pieces : number])))
            yield found

    def pieces_at(self, numbers: Sequence[int]) -> list[Piece]:
        """The pieces with these numbers."""
        pieces = self.pieces
        if isinstance(pieces, Pieces) and len(numbers) > STRETCH:
            # quicker than to find each of them
            pieces = (*pieces,)
        return [*map(pieces.__getitem__, numbers)]

    def piece_at(self, offset: int, size: Callable[[Piece | Measure], int] = _length) -> tuple[int, int]:
        """The number of the piece that holds an offset, and the offset in it; the last one where the section ends.

        Shape: `size` is what is counted: `newlines` finds the piece with the newline of a number that counts from 0.
        """
        number, pieces = 0, self.pieces
        if isinstance(pieces, Pieces):
            ends = pieces.ends[1] if size is _length else [*accumulate([size(each.measure) for each in self.stretches])]
            index = min(bisect_right(ends, offset), len(ends) - 1)
            if index:
                number, offset = pieces.ends[0][index - 1], offset - ends[index - 1]
            pieces = self.stretches[index].pieces
        ends = [0, *accumulate(map(size, pieces))]
        index = min(bisect_right(ends, offset), len(pieces)) - 1
        return number + index, offset - ends[index]

    def slice(self, start: int, end: int) -> str:
        """The text between two offsets in the section; the cost is that of the pieces between them."""
        pieces = self.pieces
        if not self.is_long:
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


def _stretches(pieces: tuple[Piece, ...]) -> list[Stretch]:
    """Stretches as long as each other."""
    size = -(-len(pieces) // (-(-len(pieces) // STRETCH) or 1)) or 1
    return [Stretch(pieces[at : at + size]) for at in range(0, len(pieces), size)]
