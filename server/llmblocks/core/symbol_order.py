"""The symbols of one role and kind in a document, in order: the number before a place, and the one at an index."""

from __future__ import annotations

from bisect import bisect_right
from functools import lru_cache
from itertools import accumulate
from typing import TYPE_CHECKING

from llmblocks.core.query import Query, Summary
from llmblocks.core.symbol import PlacedSymbol, Role, Symbol

if TYPE_CHECKING:
    from llmblocks.core.section import Piece
    from llmblocks.core.sequence import Block, Sections
    from llmblocks.core.symbol import SymbolsOf


class Counts:
    """Counts the symbols of one role and kind. Shape: `up_to` sums them up to the end of each section of a block."""

    __slots__ = ("of", "role_and_kind", "symbols", "up_to")

    def __init__(self, role: Role, kind: str, symbols: SymbolsOf) -> None:
        self.role_and_kind = role, kind
        self.symbols = symbols
        of: Summary[int] = Summary(f"number of each {role} of a {kind}", lambda piece: len(self.in_piece(piece)), sum)
        self.of = of
        self.up_to: Query[Block, list[int]] = Query(
            f"each {role} of a {kind}", lambda block: [*accumulate([of(section.pieces) for section in block.sections])]
        )

    def in_piece(self, piece: Piece) -> list[Symbol]:
        return [each for each in self.symbols(piece) if (each.role, each.kind) == self.role_and_kind]


# kept, because its answers are remembered on the parts of documents
counts_of = lru_cache(maxsize=64)(Counts)


class SymbolOrder:
    """The symbols of one role and kind, valid until the next edit."""

    __slots__ = ("_blocks", "_counts", "_ends", "total")

    def __init__(self, sections: Sections, counts: Counts) -> None:
        self._counts = counts
        self._blocks = [block for block, _ in sections.blocks()]
        self._ends = [*accumulate([counts.up_to(block)[-1] for block in self._blocks])]
        self.total = self._ends[-1]

    def before(self, block: int, slot: int, piece: int, start: int) -> int:
        counts, there = self._counts, self._blocks[block]
        pieces = there.sections[slot].pieces
        found = (self._ends[block - 1] if block else 0) + (counts.up_to(there)[slot - 1] if slot else 0)
        found += pieces.sum_up_to(piece, counts.of)
        return found + len([each for each in counts.in_piece(pieces[piece]) if each.start < start])

    def nth(self, number: int) -> PlacedSymbol:
        counts = self._counts
        block = bisect_right(self._ends, number)
        there = self._blocks[block]
        number -= self._ends[block - 1] if block else 0
        up_to = counts.up_to(there)
        slot = bisect_right(up_to, number)
        number -= up_to[slot - 1] if slot else 0
        at, inside = there.sections[slot].piece_at(number, counts.of)
        piece = there.sections[slot].pieces[at]
        return PlacedSymbol(piece, counts.in_piece(piece)[inside])
