"""The symbols of a document in order: the number of one role and kind before a place, and the one at an index."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from llmblocks.core.query import Summary
from llmblocks.core.symbol import Role, Symbol

if TYPE_CHECKING:
    from collections.abc import Callable

    from llmblocks.core.section import Piece
    from llmblocks.core.sequence import Address, Block

    SymbolsOf = Callable[[Piece], tuple[Symbol, ...]]
    """States the names in a piece, in order, places counted from its start."""


class PlacedSymbol(NamedTuple):
    """A symbol in a document. Shape: its places count from the start of the piece."""

    piece: Piece
    symbol: Symbol

    def beside(self, symbol: Symbol) -> PlacedSymbol:
        """Another symbol that is stated together with it."""
        return PlacedSymbol(self.piece, symbol)


class Counts:
    """Counts the symbols of one role and kind, in pieces and in sections."""

    __slots__ = ("of", "of_sections", "role_and_kind", "symbols")

    def __init__(self, role: Role, kind: str, symbols: SymbolsOf) -> None:
        self.role_and_kind = role, kind
        self.symbols = symbols
        of: Summary[int] = Summary(f"number of each {role} of a {kind}", lambda piece: len(self.in_piece(piece)), sum)
        self.of = of
        self.of_sections: Summary[int] = Summary(
            f"number of each {role} of a {kind} in sections", lambda section: of(section.pieces), sum
        )

    def in_piece(self, piece: Piece) -> list[Symbol]:
        """Those of a piece, in order."""
        return [each for each in self.symbols(piece) if (each.role, each.kind) == self.role_and_kind]

    def total(self, sections: Block) -> int:
        """The number in some sections."""
        return self.of_sections(sections)

    def before(self, sections: Block, address: Address, start: int) -> int:
        """The number before a place in a piece."""
        pieces = sections[address.section].pieces
        found = [*map(self.of_sections, sections.ahead(address.section)), *map(self.of, pieces.ahead(address.piece))]
        return sum(found) + len([each for each in self.in_piece(pieces[address.piece]) if each.start < start])

    def nth(self, sections: Block, number: int) -> PlacedSymbol:
        """The one at an index."""
        _, number, section = sections.find(number, self.of_sections)
        _, number, piece = section.find(number, self.of)
        return PlacedSymbol(piece, self.in_piece(piece)[number])


# kept, because its answers are remembered on the parts of documents
counts_of = lru_cache(maxsize=64)(Counts)
