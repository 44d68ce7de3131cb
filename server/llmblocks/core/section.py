"""Sections: the immutable parts of a document."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from llmblocks.core.scan import Kind, Token, kind_of

if TYPE_CHECKING:
    from weakref import ref

    from llmblocks.core.sequence import Block
    from llmblocks.core.symbol import Symbol

RETURN: Final = Kind("carriage return")
"""Not the kind of a token: it is among the kinds of a section whose text contains `\\r`."""
_kinds: Callable[[frozenset[Kind]], frozenset[Kind]] = lru_cache(maxsize=4096)(frozenset)
"""The shared sets of kinds: very many sections have few different ones."""
_alike: Callable[[tuple[Token, ...]], tuple[Token, ...]] = lru_cache(maxsize=4096)(tuple)
_MOST_ALIKE: Final = 32
"""Shorter sections share equal tuples of tokens: most calls of a log differ only in their text."""


class Span(NamedTuple):
    """A token at its place. `start` and `end` are code points from the start of the section."""

    kind: Kind
    start: int
    end: int


class Remembers:
    """An immutable object that caches the answers of queries about it (see `core.query`)."""

    __slots__ = ("memory",)

    memory: dict[Any, Any] | None


class Section(Remembers):
    """One message, one top-level call or block, or one run of text. It never changes.

    A section is independent of its position. An edit replaces the sections that it touches; every other one stays the
    same object, and keeps its cached answers.
    """

    __slots__ = (
        "after",
        "before",
        "block",
        "breaks",
        "finding_count",
        "is_last",
        "kinds",
        "length",
        "symbols",
        "text",
        "tokens",
    )

    before: Any
    """The scanner's state at the start."""
    after: Any
    """The scanner's state at the end."""
    breaks: int
    """The number of line ends: `\\n` and lone `\\r`."""
    kinds: frozenset[Kind]
    """The kinds of its tokens, and `RETURN`. Most checks first look for a kind here."""
    is_last: bool
    """Whether the document ends with it."""
    finding_count: int
    """The number of its findings, from the document's `count_findings`."""
    symbols: tuple[Symbol, ...] | None
    """Its names, once its language has stated them."""
    block: ref[Block] | None
    """The block of a document that holds it."""

    def __init__(self, text: str, tokens: Sequence[Token], before: Any, after: Any, *, is_last: bool = False) -> None:
        self.memory = None
        self.symbols = None
        self.block = None
        self.finding_count = 0
        self.is_last = is_last
        self.text = text
        self.length = len(text)
        self.tokens = _alike((*tokens,)) if len(tokens) <= _MOST_ALIKE else (*tokens,)
        returns = "\r" in text
        self.kinds = _kinds(frozenset([*map(kind_of, tokens), *([RETURN] if returns else [])]))
        self.before = before
        self.after = after
        self.breaks = text.count("\n") + (text.count("\r") - text.count("\r\n") if returns else 0)

    def spans(self) -> Iterator[Span]:
        """Yield the tokens with their places, split tokens joined."""
        last, start, at = None, 0, 0
        for kind, width in self.tokens:
            if kind is not last or not kind.merges:
                if last is not None:
                    yield Span(last, start, at)
                last, start = kind, at
            at += width
        if last is not None:
            yield Span(last, start, at)

    def line_before(self, offset: int) -> str:
        """Return the text before an offset on its line."""
        return self.text[self.text.rfind("\n", 0, offset) + 1 : offset]


def tokens_in(section: Section, kinds: Container[Kind]) -> Iterator[Span]:
    """Yield the tokens of some kinds with their places, unjoined."""
    at = 0
    for kind, width in section.tokens:
        if kind in kinds:
            yield Span(kind, at, at + width)
        at += width
