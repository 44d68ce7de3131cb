"""Facts that need no whole construct: of lines, and of all that a section shows."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from typing import Any, Generic, Protocol, TypeVar, cast

from llmblocks.core.query import Query, Summary
from llmblocks.core.scan import Kind, Token
from llmblocks.core.section import Piece, Section, Span
from llmblocks.facts.problem import Problem

T = TypeVar("T")


class Lines(Protocol):
    """Some lines of a text as they have been scanned: all that a fact of a marker, of a header, or of a line sees.

    Shape: `tokens` cover `text`, and `kinds` are theirs. `length` and `newlines` are those of the text. `before` and
           `after` are the states of the scanner at the two ends. Which lines are together makes no difference; what is
           free to be cut in a line may be in several.
    """

    @property
    def text(self) -> str: ...
    @property
    def length(self) -> int: ...
    @property
    def newlines(self) -> int: ...
    @property
    def tokens(self) -> Sequence[Token]: ...
    @property
    def kinds(self) -> frozenset[Kind]: ...
    @property
    def before(self) -> Any: ...
    @property
    def after(self) -> Any: ...

    def spans(self) -> Iterator[Span]:
        """The tokens with their places, split tokens joined."""
        ...

    def slice(self, start: int, end: int, /) -> str:
        """The text between two places; the cost is that of this text."""
        ...


def of_lines(name: str, read: Callable[[Lines], T]) -> Callable[[Lines], T]:
    """A function of some lines, whose answer is remembered until they change. It is made once, at module level."""
    return cast(Callable[[Lines], T], Query(name, read))


def tokens_in(lines: Lines, kinds: Container[Kind]) -> Iterator[Span]:
    """The tokens of some kinds, as they are stored, each at its place."""
    at = 0
    for kind, width in lines.tokens:
        if kind in kinds:
            yield Span(kind, at, at + width)
        at += width


class SectionFact(Generic[T]):
    """A fact about what a section shows as a whole: what begins in it and does not end, or is first and last in it.

    Shape: `of` is what some lines show, None where they show nothing, as do those without a token of `kinds`. `join` is
           given what neighbours show, in order, at least one, each with its place. `judge` gives the problems of what
           all show together, with places from the start of the section. It is told the scanner's state at the end, too,
           and whether the text ends there. `when` is asked first: the kinds of all tokens, and whether the text ends.
    """

    __slots__ = ("_judge", "_kinds", "_shown", "_when")

    def __init__(
        self,
        name: str,
        kinds: frozenset[Kind],
        of: Callable[[Lines], T | None],
        join: Callable[[Iterable[tuple[int, T]]], T],
        judge: Callable[[T, Any, bool], Iterable[Problem]],
        when: Callable[[frozenset[Kind], bool], bool] = lambda _, __: True,
    ) -> None:
        def of_piece(piece: Piece) -> tuple[int, T | None]:
            return piece.length, None if kinds.isdisjoint(piece.kinds) else of(piece)

        def together(parts: Iterable[tuple[int, T | None]]) -> tuple[int, T | None]:
            found: list[tuple[int, T]] = []
            at = 0
            for length, shown in parts:
                if shown is not None:
                    found.append((at, shown))
                at += length
            return at, join(found) if found else None

        self._kinds, self._judge, self._when = kinds, judge, when
        self._shown: Summary[tuple[int, T | None]] = Summary(name, of_piece, together)

    def in_lines(self, _: Lines) -> Iterable[Problem]:
        """None: only the section shows them."""
        return ()

    def in_section(self, section: Section) -> Iterable[Problem]:
        """The problems of a section."""
        if self._kinds.isdisjoint(section.kinds) or not self._when(section.kinds, section.is_last):
            return ()
        _, shown = self._shown(section.pieces)
        return () if shown is None else self._judge(shown, section.after, section.is_last)
