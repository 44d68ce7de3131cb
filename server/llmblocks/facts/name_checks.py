"""Problems of names, across a document or several."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from itertools import chain
from typing import Any, NamedTuple

from llmblocks.core.index import Index, Touched
from llmblocks.core.places import Elsewhere
from llmblocks.core.section import Section
from llmblocks.core.symbol import PlacedSymbol, Role, Symbol
from llmblocks.facts.rule import NO_DATA, Rule


class NamedProblem(NamedTuple):
    """A problem of a name at a place in a document."""

    rule: Rule
    key: str | Section
    """The name or section under which it was found: when that is checked again, so is the problem."""
    place: PlacedSymbol
    data: Mapping[str, object]
    related: tuple[tuple[PlacedSymbol, str], ...] = ()
    """The other places that it is about, each with its message."""
    elsewhere: tuple[tuple[Elsewhere, str], ...] = ()
    """The places in other files."""


class PlacedProblem(NamedTuple):
    """A problem of the construct that begins at a symbol."""

    place: PlacedSymbol
    data: Mapping[str, object] = NO_DATA


class NameCheck(NamedTuple):
    """A check of a format for problems of names. It sees the index, never the text."""

    rule: Rule
    affected: Callable[[Index, Touched], Collection[Any]]
    """Returns the names, or the sections, whose problems an edit may change."""
    check: Callable[[Index, Iterable[Any]], Iterable[NamedProblem]]
    """Finds the problems of some names, or sections."""
    across_files: bool = False
    """Whether it reads the other files of the session, too."""
    of_texts: bool = False
    """Whether it compares neighbours, so that an edit matters that touches no name."""


def forward_check(
    rule: Rule,
    begins: tuple[Role, str],
    reads: Collection[str],
    judge: Callable[[Index, PlacedSymbol], PlacedProblem | None],
) -> NameCheck:
    """Return a check of constructs that begin in one place and end in another.

    An edit costs what `judge` costs; `Index.count_before` and `nth` look a symbol up.

    Args:
        rule: The rule.
        begins: The role and the kind of the symbols that are judged.
        reads: The kinds of all symbols that matter.
        judge: Returns the problem of one symbol. It looks forward up to the next symbol that is judged.
    """

    def affected(index: Index, touched: Touched) -> Collection[Section]:
        if touched.change is None:
            return index.with_symbols(*begins)
        return () if touched.names.keys().isdisjoint(reads) else index.changed_by(*begins, touched.change)

    def check(index: Index, sections: Iterable[Section]) -> Iterator[NamedProblem]:
        for place in _constructs(index, begins, sections):
            if (found := judge(index, place)) is not None:
                yield NamedProblem(rule, place.section, *found)

    return NameCheck(rule, affected, check)


def neighbour_check(
    rule: Rule,
    begins: tuple[Role, str],
    judge: Callable[[PlacedSymbol, PlacedSymbol], PlacedProblem | None],
) -> NameCheck:
    """Return a check of a construct and the one before it, made again when either changes.

    Args:
        rule: The rule.
        begins: The role and the kind of the symbol of each construct.
        judge: Returns the problem of two neighbours. It is not asked across boundaries of the outer format,
            such as messages.
    """

    def affected(index: Index, touched: Touched) -> Collection[Section]:
        change = touched.change
        if change is None:
            return index.with_symbols(*begins)
        if not index.names(*begins):
            return change.removed
        after = index.sections.onward(index.sections.at(change.start).number + len(change.added))
        following = _nearest(begins, ((each, index.symbols(each)) for each in after))
        return [*change.removed, *change.added, *([] if following is None else [following.section])]

    def check(index: Index, sections: Iterable[Section]) -> Iterator[NamedProblem]:
        for later in _constructs(index, begins, sections):
            section, symbols = later.section, index.symbols(later.section)
            within = section, symbols[: symbols.index(later.symbol)][::-1]
            before = ((each, index.symbols(each)[::-1]) for each in index.sections.backward(index.number(section)))
            earlier = _nearest(begins, chain([within], before))
            if earlier is not None and (found := judge(earlier, later)) is not None:
                yield NamedProblem(rule, section, *found, ((earlier, "the one before"),))

    return NameCheck(rule, affected, check, of_texts=True)


def _constructs(index: Index, begins: tuple[Role, str], sections: Iterable[Section]) -> Iterator[PlacedSymbol]:
    """Yield the constructs in some sections, if they are still in the document."""
    for section in sections:
        if index.sections.number(section) is not None:
            yield from [PlacedSymbol(section, each) for each in index.symbols(section) if each[:2] == begins]


def _nearest(begins: tuple[Role, str], sections: Iterable[tuple[Section, Iterable[Symbol]]]) -> PlacedSymbol | None:
    """Return the first symbol of a role and a kind in some sections; None if a boundary comes first, or nothing."""
    for section, symbols in sections:
        for symbol in symbols:
            if symbol.role == "boundary":
                return None
            if symbol[:2] == begins:
                return PlacedSymbol(section, symbol)
    return None
