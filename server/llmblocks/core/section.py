"""Pieces and sections: the immutable parts of a document."""

from __future__ import annotations

from collections.abc import Iterator
from operator import attrgetter
from typing import Any, NamedTuple

from llmblocks.core.scan import Kind, Token

_length = attrgetter("length")
_newlines = attrgetter("newlines")
_returns = attrgetter("returns")


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
           once there is a newer one.
    """

    __slots__ = ("finding_count", "is_last", "length", "newlines", "pieces", "renews", "returns")

    def __init__(self, pieces: tuple[Piece, ...]) -> None:
        self.pieces = pieces
        self.memory = None
        self.renews: Renewal | None = None
        self.finding_count = 0
        self.is_last = False
        if len(pieces) == 1:
            piece = pieces[0]
            self.length = piece.length
            self.newlines = piece.newlines
            self.returns = piece.returns
        else:
            self.length = sum(map(_length, pieces))
            self.newlines = sum(map(_newlines, pieces))
            self.returns = sum(map(_returns, pieces))

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

    def slice(self, start: int, end: int) -> str:
        """The text between two offsets in the section; the cost is that of the pieces between them."""
        pieces = self.pieces
        if len(pieces) == 1:
            return pieces[0].text[start:end]
        parts = []
        at = 0
        for piece in pieces:
            size = len(piece.text)
            if at < end and at + size > start:
                parts.append(piece.text[max(start - at, 0) : end - at])
            at += size
        return "".join(parts)

    def line_before(self, offset: int) -> str:
        """The text before an offset on its line; the cost is that of the line if the section has one piece."""
        for piece in self.pieces:
            if offset <= piece.length:
                return piece.text[piece.text.rfind("\n", 0, offset) + 1 : offset]
            offset -= piece.length
        return ""
