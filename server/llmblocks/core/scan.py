"""The contract of scanners, on which streams, documents and edits are built.

A scanner is a function from text and a small state to tokens and a new state. The same function is fed chunks, whole
texts and the surroundings of an edit (`core.document`), so they always agree.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from operator import itemgetter
from typing import Any, Final, NamedTuple, Protocol

State = Hashable
"""Small, immutable, comparable. Two equal states scan every following text alike."""

_SHARED_WIDTHS = 4096


class Kind:
    """The kind of a token, e.g. "pointer". Compared by identity; each format has its own as module constants.

    Shape: `merges` says that neighbours of this kind are one token that was cut by a chunk;
           `opaque` says that no format inside this one begins here: a comment, or a sign of this format.
           `of[width]` is the token of that width (short ones are shared, which halves the memory of a document).
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
    """A stretch of text. Shape: `width` in code points; 0 for a token that is expected here and missing."""

    kind: Kind
    width: int


kind_of: Final[Callable[[Token], Kind]] = itemgetter(0)
width_of: Final[Callable[[Token], int]] = itemgetter(1)
"""Quicker than the names of the fields, for the tokens of a whole section."""


class _Tokens(dict[int, Token]):
    def __init__(self, kind: Kind) -> None:
        self._kind = kind

    def __missing__(self, width: int) -> Token:
        token = Token(self._kind, width)
        if width < _SHARED_WIDTHS:
            self[width] = token
        return token


class Cut(NamedTuple):
    """A place after the start of a scan at which another section begins.

    Shape: `token` is the number of the first token after it; `state` is the scanner's state there.
    """

    offset: int
    token: int
    state: Any


class Scanned(NamedTuple):
    """The result of one call of `scan`, for the text from its start up to `end`.

    Shape: `head` says that a section begins at the start, `cuts` where more of them begin, in order; the widths of
           `tokens` add up to `end` minus the start.
    """

    tokens: list[Token]
    end: int
    state: Any
    head: bool
    cuts: tuple[Cut, ...] = ()


class Scanner(Protocol):
    """Tokenizes one format."""

    @property
    def initial(self) -> Any:
        """The state at the start of a text."""

    def scan(self, text: str, start: int, stop: int, state: Any, final: bool) -> Scanned:
        """Tokenize from `start` up to the end of the section there, at most up to `stop`.

        Shape:  lines are the unit of knowledge: whatever is decided at a place depends on `state` and on the rest of
                that line alone. Where `stop` is a line start or `final` is true, all text up to `stop` or to the end
                of the section is consumed. Elsewhere a tail that may still become a marker is held back: `end` is
                then short of `stop`. No more is held back than a marker is long.
        Errors: none; any text at all is input.
        """


def held_back(text: str, start: int, stop: int, markers: Sequence[str]) -> int:
    """The start of a tail of a text that may still become one of some markers; `stop` if there is none."""
    for at in range(max(start, stop - max(map(len, markers), default=1) + 1), stop):
        tail = text[at:stop]
        if any(marker.startswith(tail) for marker in markers):
            return at
    return stop


def divides(scanner: Scanner) -> bool:
    """Whether what the scanner finds begins sections inside another format, too. Most set no `divides`: they do not."""
    return bool(getattr(scanner, "divides", False))


def canonical(tokens: Iterable[Token]) -> list[Token]:
    """Join split tokens. The result is the same for any chunks or edits."""
    joined: list[Token] = []
    for token in tokens:
        kind = token.kind
        if kind.merges and joined and joined[-1].kind is kind:
            joined[-1] = Token(kind, joined[-1].width + token.width)
        elif token.width:
            joined.append(token)
    return joined
