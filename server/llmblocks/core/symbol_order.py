"""The symbols of one role and kind in a document, in order: the number before a place, and the one at an index."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from llmblocks.core.query import Query
from llmblocks.core.symbol import PlacedSymbol, Role, Symbol

if TYPE_CHECKING:
    from llmblocks.core.section import Piece
    from llmblocks.core.sequence import Block, Sections


class Ranks(NamedTuple):
    """The symbols of one role and kind in a block, in order. Shape: `keys` are section, piece, and place in that."""

    keys: list[tuple[int, int, int]]
    found: list[PlacedSymbol]


def ranks_of(role: Role, kind: str, symbols: Query[Piece, tuple[Symbol, ...]]) -> Query[Block, Ranks]:
    def ranks(block: Block) -> Ranks:
        keys: list[tuple[int, int, int]] = []
        found: list[PlacedSymbol] = []
        for slot, section in enumerate(block.sections):
            for number, piece in enumerate(section.pieces):
                for symbol in symbols(piece):
                    if symbol.kind == kind and symbol.role == role:
                        keys.append((slot, number, symbol.start))
                        found.append(PlacedSymbol(piece, symbol))
        return Ranks(keys, found)

    return Query(f"each {role} of a {kind}", ranks)


class SymbolOrder:
    """The symbols of one role and kind, valid until the next edit."""

    __slots__ = ("_ends", "_ranks", "total")

    def __init__(self, sections: Sections, ranks: Query[Block, Ranks]) -> None:
        self._ranks = [ranks(block) for block, _ in sections.blocks()]
        self._ends = [*accumulate(len(each.found) for each in self._ranks)]
        self.total = self._ends[-1]

    def before(self, block: int, slot: int, piece: int, start: int) -> int:
        return (self._ends[block - 1] if block else 0) + bisect_left(self._ranks[block].keys, (slot, piece, start))

    def nth(self, number: int) -> PlacedSymbol:
        block = bisect_right(self._ends, number)
        return self._ranks[block].found[number - (self._ends[block - 1] if block else 0)]
