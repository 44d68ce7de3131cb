"""Pieces and sections: the immutable parts that a document is made of."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, Self, TypeVar

from llmblocks.core.scan import Kind, Token

T = TypeVar("T")


class Remembers:
    """Something that never changes, so that what was computed from it can be kept on it."""

    __slots__ = ("_memo",)

    _memo: dict[Any, Any] | None

    def remember(self, what: Callable[[Self], T]) -> T:
        """`what(self)`, computed once. `what` must depend on nothing else."""
        memo = self._memo
        if memo is None:
            memo = self._memo = {}
        try:
            found: T = memo[what]
        except KeyError:
            found = memo[what] = what(self)
        return found

    def remember_only(self, what: Callable[[Self], T], found: T) -> None:
        """Keep `found` as what `what(self)` gives, and let go of everything else: it can be computed again."""
        self._memo = {what: found}

    def forget(self) -> None:
        """Let go of everything: it can be computed again."""
        self._memo = None


class Piece(Remembers):
    """A stretch of text and its tokens: what is scanned again when it is edited.

    Shape: `before` and `after` are the scanner's states at its two ends; `head` says that a section begins with it.
           `newlines` counts `\\n`, `returns` counts every `\\r` that no `\\n` follows.
    """

    __slots__ = ("after", "before", "head", "newlines", "returns", "text", "tokens")

    def __init__(self, text: str, tokens: list[Token], before: Any, after: Any, head: bool) -> None:
        self._memo = None
        self.text = text
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


class Section(Remembers):
    """One message, one top-level block, or one run of text. It never changes, and knows nothing of where it stands.

    An edit replaces the sections that it touches; every other one stays the same object, and with it all that was
    remembered on it.
    """

    __slots__ = ("length", "newlines", "pieces", "returns")

    def __init__(self, pieces: tuple[Piece, ...]) -> None:
        self.pieces = pieces
        self._memo = None
        if len(pieces) == 1:
            piece = pieces[0]
            self.length = len(piece.text)
            self.newlines = piece.newlines
            self.returns = piece.returns
        else:
            self.length = sum([len(piece.text) for piece in pieces])
            self.newlines = sum([piece.newlines for piece in pieces])
            self.returns = sum([piece.returns for piece in pieces])

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
        """The tokens at their places, neighbours that are one token joined."""
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
        """The text between two places of the section; costs the pieces that it touches."""
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
