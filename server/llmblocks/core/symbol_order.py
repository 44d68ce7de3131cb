"""The symbols of a document in order: the count of a role and kind before a place, and the symbol at an index."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from llmblocks.core.query import SectionSummary
from llmblocks.core.symbol import Role, Symbol

if TYPE_CHECKING:
    from collections.abc import Callable

    from llmblocks.core.section import Section
    from llmblocks.core.sequence import Sections

    SymbolsOf = Callable[[Section], tuple[Symbol, ...]]
    """The names in a section, in order, places counted from its start."""


class PlacedSymbol(NamedTuple):
    """A symbol in a document. Its places count from the start of the section."""

    section: Section
    symbol: Symbol

    def beside(self, symbol: Symbol) -> PlacedSymbol:
        """Another symbol of the same section."""
        return PlacedSymbol(self.section, symbol)


class Counts:
    """Counts the symbols of one role and kind, by section and by block."""

    __slots__ = ("_of", "_role_and_kind", "_symbols")

    def __init__(self, role: Role, kind: str, symbols: SymbolsOf) -> None:
        self._role_and_kind = role, kind
        self._symbols = symbols
        self._of: SectionSummary[int] = SectionSummary(
            f"number of each {role} of a {kind}", lambda each: len(self._within(each)), sum
        )

    def total(self, sections: Sections) -> int:
        """Return the number in a document."""
        return sum([self._of(block) for block, _ in sections.blocks()])

    def before(self, sections: Sections, number: int, start: int = 0) -> int:
        """Return the number before an offset of the section at an index."""
        count = 0
        for block, _ in sections.blocks():
            if number < len(block):
                count += sum(map(self._of, block.sections[:number]))
                return count + len([each for each in self._within(block.sections[number]) if each.start < start])
            count += self._of(block)
            number -= len(block)
        return count

    def nth(self, sections: Sections, number: int) -> PlacedSymbol:
        """Return the symbol at an index.

        Raises:
            IndexError: There are fewer.
        """
        for block, _ in sections.blocks():
            if number < self._of(block):
                for section in block:
                    found = self._within(section)
                    if number < len(found):
                        return PlacedSymbol(section, found[number])
                    number -= len(found)
            number -= self._of(block)
        raise IndexError(number)

    def _within(self, section: Section) -> list[Symbol]:
        return [each for each in self._symbols(section) if (each.role, each.kind) == self._role_and_kind]


# kept, because its answers are cached on the blocks of documents
counts_of = lru_cache(maxsize=64)(Counts)
