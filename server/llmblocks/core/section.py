"""Pieces and sections: the immutable parts of a document."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from llmblocks.core.scan import Kind, Token
from llmblocks.core.tree import Leaf, Measure, Measured, Node, alike, length_of, tree, where

if TYPE_CHECKING:
    from llmblocks.core.symbol import Symbol

RETURN: Final = Kind("carriage return")
"""No kind of a token: it is among those of a piece whose text has a `\\r`."""
_kind_of: Callable[[Token], Kind] = itemgetter(0)
_FEW: Final = 32
_alike: Callable[[tuple[Token, ...]], tuple[Token, ...]] = lru_cache(maxsize=4096)(tuple)
"""The tokens of a piece that has few: often those of another."""


class Span(NamedTuple):
    """A token at its place. Shape: `start` and `end` in code points from the start of the section."""

    kind: Kind
    start: int
    end: int


def spans_of(tokens: Iterable[Token]) -> Iterator[Span]:
    """Tokens with their places, split tokens joined."""
    last, start, at = None, 0, 0
    for kind, width in tokens:
        if kind is not last or not kind.merges:
            if last is not None:
                yield Span(last, start, at)
            last, start = kind, at
        at += width
    if last is not None:
        yield Span(last, start, at)


class InPieces(Measured):
    """What is asked of a section, whether it is a single piece or several."""

    __slots__ = ()

    @property
    def pieces(self) -> Tree:
        """Its pieces: a piece is a tree of one."""
        return self  # type: ignore[return-value]

    def spans(self) -> Iterator[Span]:
        """The tokens with their places, split tokens joined."""
        return spans_of(chain.from_iterable([piece.tokens for piece in self.pieces]))

    def where(self, test: Callable[[Tree], object], numbers: Sequence[int] = ()) -> Iterator[tuple[Piece, Measure]]:
        """The pieces that a test finds, as it does the nodes around them, and those with some numbers: see `where`."""
        return where(self.pieces, test, numbers)

    def piece_at(self, offset: int, size: Callable[[Tree], int] = length_of) -> tuple[int, int]:
        """The number of the piece that holds an offset, and the offset in it; the last one where the section ends.

        Shape: `size` is what is counted: `newlines_of` finds the piece with the newline of a number that counts from 0.
        """
        return self.pieces.find(offset, size)[:2]

    def slice(self, start: int, end: int) -> str:
        """The text between two offsets in the section; the cost is that of the pieces between them."""
        pieces = self.pieces
        if isinstance(pieces, Piece):
            return pieces.text[start:end]
        number, inside, piece = pieces.find(start, length_of)
        missing = end - start - (piece.length - inside)
        text = piece.text[inside : inside + max(end - start, 0)]
        if missing <= 0:
            return text
        parts = [text]
        while missing > 0 and (number := number + 1) < len(pieces):
            piece = pieces[number]
            parts.append(piece.text[:missing])
            missing -= piece.length
        return "".join(parts)

    def line_before(self, offset: int) -> str:
        """The text before an offset on its line; the cost is that of the line if the section has one piece."""
        if not offset:
            return ""
        number, last = self.piece_at(offset - 1)
        text = self.pieces[number].text
        return text[text.rfind("\n", 0, last + 1) + 1 : last + 1]


class Piece(Leaf["Piece"], InPieces):
    """A stretch of text and its tokens: the unit of rescanning, and a whole section if that is short.

    Shape: `before` and `after` are the scanner's states at its two ends; `head` says that a section begins with it.
           `newlines` counts `\\n`, `returns` counts every `\\r` that no `\\n` follows. `kinds` are those of its tokens,
           and `RETURN`: most facts begin with one that is not there. `symbols` are its names, once its language has
           stated them.
    """

    __slots__ = (
        "after",
        "before",
        "finding_count",
        "head",
        "is_last",
        "kinds",
        "length",
        "newlines",
        "returns",
        "symbols",
        "text",
        "tokens",
    )

    is_long = False

    def __init__(self, text: str, tokens: Sequence[Token], before: Any, after: Any, head: bool) -> None:
        self.memory = None
        self.symbols: tuple[Symbol, ...] | None = None
        self.around = None
        self.finding_count = 0
        self.is_last = False
        self.text = text
        self.length = len(text)
        row = (*tokens,)
        self.tokens = _alike(row) if len(row) <= _FEW else row
        returns = "\r" in text
        kinds = frozenset([*map(_kind_of, tokens), RETURN]) if returns else frozenset(map(_kind_of, tokens))
        self.kinds = alike(kinds)
        self.before = before
        self.after = after
        self.head = head
        self.newlines = text.count("\n")
        self.returns = text.count("\r") - text.count("\r\n") if returns else 0


Tree = Piece | Node[Piece]
"""Neighbouring pieces: a single one is a tree of one."""


class Joined(InPieces):
    """Pieces as one section: a long one of a document, or a passing one, with which all answers about it go."""

    __slots__ = (
        "__weakref__",
        "finding_count",
        "is_last",
        "is_long",
        "kinds",
        "length",
        "newlines",
        "pieces",
        "returns",
    )

    def __init__(self, pieces: Tree | Sequence[Piece]) -> None:
        self.memory = None
        self.around = None
        self.finding_count = 0
        self.is_last = False
        self.pieces: Tree = pieces if isinstance(pieces, (Piece, Node)) else tree(pieces)
        self.is_long = self.pieces.leaves > 1
        self.kinds = self.pieces.kinds
        self.length = self.pieces.length
        self.newlines = self.pieces.newlines
        self.returns = self.pieces.returns

    @property
    def children(self) -> tuple[Tree]:
        """As of a node: the tree of its pieces."""
        return (self.pieces,)

    @property
    def text(self) -> str:
        return "".join([piece.text for piece in self.pieces])

    @property
    def tokens(self) -> Sequence[Token]:
        return [token for piece in self.pieces for token in piece.tokens]

    @property
    def before(self) -> Any:
        """The scanner's state at its start."""
        return self.pieces[0].before

    @property
    def after(self) -> Any:
        """The scanner's state at its end."""
        return self.pieces[-1].after

    def up_to(self, number: int) -> Measure:
        """The size of the pieces before the one with a number."""
        return self.pieces.up_to(number)

    def find(self, value: int, size: Callable[[Tree], int] = length_of) -> tuple[int, int, Piece]:
        """The piece that holds a value, its number, and what is left of the value: see `Parts.find`."""
        return self.pieces.find(value, size)

    def renewed(self, start: int, end: int, come: Sequence[Piece]) -> Joined:
        """The section that replaces it, with other pieces in the place of those from `start` up to `end`."""
        assert isinstance(self.pieces, Node), "it is long"
        renewed = Joined(self.pieces.replaced(start, end, come))
        renewed.is_last = self.is_last
        return renewed


Section = Piece | Joined
"""One message, one top-level block, or one run of text. It never changes, and is independent of its position.

An edit replaces the sections that it touches; every other one stays the same object, and with it all that was
remembered on it. A short one is its piece.

Shape: `finding_count` comes from the document's `count_findings`. `is_last` says that the document ends with it.
       `is_long` says that it has several pieces.
"""


def section_of(pieces: Sequence[Piece]) -> Section:
    """The section of a document that has these pieces."""
    return Joined(pieces) if len(pieces) > 1 else pieces[0]
