"""The contract of scanners, on which streams, documents and edits are built.

A scanner is a function from text and a small state to tokens and a new state. The same function is fed chunks, whole
texts and the surroundings of an edit (`core.document`), so they always agree.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from operator import itemgetter
from typing import Any, Final, NamedTuple, Protocol

State = Hashable
"""Small, immutable, comparable. Two equal states scan every following text alike."""

_SHARED_WIDTHS = 4096


class Kind:
    """The kind of a token, e.g. "pointer". Compared by identity; each format has its own as module constants.

    Attributes:
        merges: Neighbours of this kind are one token that a chunk has cut.
        opaque: No inner format begins here: a comment, or a sign of this format.
        of: `of[width]` is the token of that width. Short ones are shared, which halves the memory of a document.
    """

    __slots__ = ("merges", "name", "of", "opaque")

    def __init__(self, name: str, *, merges: bool = False, opaque: bool = False) -> None:
        self.name = name
        self.merges = merges
        self.opaque = opaque
        self.of = _Tokens(self)

    def __repr__(self) -> str:
        return self.name


class Token(NamedTuple):
    """A stretch of text."""

    kind: Kind
    width: int
    """Code points; 0 for a missing token that is expected here."""


kind_of: Final[Callable[[Token], Kind]] = itemgetter(0)
width_of: Final[Callable[[Token], int]] = itemgetter(1)
"""Faster than the names of the fields, for the tokens of a whole section."""


class _Tokens(dict[int, Token]):
    def __init__(self, kind: Kind) -> None:
        self._kind = kind

    def __missing__(self, width: int) -> Token:
        token = Token(self._kind, width)
        if width < _SHARED_WIDTHS:
            self[width] = token
        return token


class Cut(NamedTuple):
    """A place after the start of a scan at which another section begins."""

    offset: int
    token: int
    """The number of the first token after it."""
    state: Any
    """The scanner's state there."""


class Scanned(NamedTuple):
    """The result of one call of `scan`."""

    tokens: list[Token]
    """Their widths add up to `end` minus the start of the scan."""
    end: int
    state: Any
    head: bool
    """Whether a section begins at the start."""
    cuts: tuple[Cut, ...] = ()
    """The places where further sections begin, in order."""


class Scanner(Protocol):
    """Tokenizes one format. With a true attribute `divides`, its sections begin sections inside another format, too."""

    @property
    def initial(self) -> Any:
        """The state at the start of a text."""

    def scan(self, text: str, start: int, stop: int, state: Any, final: bool) -> Scanned:
        """Tokenize from `start` up to the end of the section there, at most up to `stop`.

        A decision at a place depends only on `state` and on the rest of the line. If `stop` is a line start or `final`
        is true, all text up to `stop` or to the end of the section is consumed. Otherwise a tail that may still become
        a marker is held back, at most as long as a marker, and `end` is less than `stop`. Never raises: any text is
        input.
        """


def canonical(tokens: Iterable[Token]) -> list[Token]:
    """Join split tokens, so that the result is the same for any chunks or edits."""
    joined: list[Token] = []
    for token in tokens:
        kind = token.kind
        if kind.merges and joined and joined[-1].kind is kind:
            joined[-1] = Token(kind, joined[-1].width + token.width)
        elif token.width:
            joined.append(token)
    return joined
