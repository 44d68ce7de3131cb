"""The sections of a document in order, found by place or by line, replaced without touching the others."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from itertools import accumulate
from typing import NamedTuple

from llmblocks.core.section import Piece, Section
from llmblocks.core.tree import Remembers

_BLOCK = 128
CountFindings = Callable[[Section], int]


class Placed(NamedTuple):
    """A section at its place.

    Shape: `start` in code points, `line` counts `\\n`, `returns` counts lone `\\r`, all from the start of the document;
           `block` and `slot` are its address, good until the next edit.
    """

    section: Section
    start: int
    line: int
    returns: int
    block: int
    slot: int


class Address(NamedTuple):
    """The place of a piece: its block, its section and its number, valid until the next edit.

    Of two addresses, the smaller is in front.
    """

    block: int
    slot: int
    piece: int


class Block(Remembers):
    """Some neighbouring sections, and what must be known of each without looking at it.

    Unlike these it changes: then it forgets the answers of all queries about it. Its pieces know its number, not the
    block itself: that would be a cycle, and large documents are hidden from the garbage collector.
    """

    __slots__ = ("finding_counts", "lengths", "newlines", "number", "returns", "sections")

    def __init__(self, sections: list[Section], count_findings: CountFindings, number: int) -> None:
        self.memory = None
        self.number = number
        self.sections = sections
        for section in sections:
            self.take(section.pieces)
        self.lengths = [section.length for section in sections]
        self.newlines = [section.newlines for section in sections]
        self.returns = [section.returns for section in sections]
        self.finding_counts = [count_findings(section) for section in sections]

    def take(self, pieces: Iterable[Piece]) -> None:
        """Let pieces that come in know where they are."""
        number = self.number
        for piece in pieces:
            piece.block = number


class Sections:
    """A list of lists: short enough to splice, few enough to add up.

    Shape: `count_findings` counts the findings of each new section; `with_findings` are the sections with findings.
    """

    __slots__ = (
        "_blocks",
        "_count_findings",
        "_finding_counts",
        "_lengths",
        "_newlines",
        "_numbers",
        "_returns",
        "_serial",
        "_sums",
    )

    def __init__(self, sections: list[Section], count_findings: CountFindings) -> None:
        self._count_findings = count_findings
        self._blocks: list[Block] = []
        self._lengths: list[int] = []
        self._newlines: list[int] = []
        self._returns: list[int] = []
        self._finding_counts: list[int] = []
        self._numbers: list[int] = []
        self._serial = 0
        self._sums: tuple[list[int], list[int], list[int]] | None = None
        self._put(0, 0, sections)

    def __len__(self) -> int:
        return sum(len(block.sections) for block in self._blocks)

    def __iter__(self) -> Iterator[Section]:
        for block in self._blocks:
            yield from block.sections

    @property
    def length(self) -> int:
        return (self._sums or self._totals())[0][-1]

    @property
    def newlines(self) -> int:
        return (self._sums or self._totals())[1][-1]

    @property
    def returns(self) -> int:
        return (self._sums or self._totals())[2][-1]

    @property
    def finding_count(self) -> int:
        return sum(self._finding_counts)

    def at(self, offset: int) -> Placed:
        """The section that holds the character at `offset`; the last one where the text ends there."""
        ends, _, _ = self._sums or self._totals()
        number = min(bisect_right(ends, offset), len(ends) - 1)
        return self._place(number, self._blocks[number].lengths, ends, offset)

    def at_newline(self, newline: int) -> Placed:
        """The section that holds this newline, counting from 1; the last one where there are fewer."""
        _, ends, _ = self._sums or self._totals()
        number = min(bisect_right(ends, newline - 1), len(ends) - 1)
        return self._place(number, self._blocks[number].newlines, ends, newline - 1)

    def at_break(self, line_end: int) -> Placed:
        """The section that holds this line end, counting from 1 and lone `\\r` as well as `\\n`."""
        _, newlines, returns = self._sums or self._totals()
        ends = [one + other for one, other in zip(newlines, returns, strict=True)]
        number = min(bisect_right(ends, line_end - 1), len(ends) - 1)
        block = self._blocks[number]
        inside = [one + other for one, other in zip(block.newlines, block.returns, strict=True)]
        return self._place(number, inside, ends, line_end - 1)

    def find(self, piece: Piece) -> Address | None:
        """The place of a piece; None for a piece of another document, or of an earlier text.

        It costs a search through the numbers of the blocks, and one through the sections of a block.
        """
        try:
            block = self._numbers.index(piece.block)
        except ValueError:
            return None
        for slot, section in enumerate(self._blocks[block].sections):
            if piece in section.pieces:
                return Address(block, slot, section.pieces.index(piece))
        return None

    def placed(self, block: int, slot: int) -> Placed:
        """The section at an address."""
        there = self._blocks[block]
        start, line, returns = sum(there.lengths[:slot]), sum(there.newlines[:slot]), sum(there.returns[:slot])
        if block:
            ends = self._sums or self._totals()
            start, line, returns = start + ends[0][block - 1], line + ends[1][block - 1], returns + ends[2][block - 1]
        return Placed(there.sections[slot], start, line, returns, block, slot)

    def before(self, placed: Placed) -> Placed | None:
        """The section before this one."""
        _, start, line, returns, block, slot = placed
        if slot:
            there = self._blocks[block].sections[slot - 1]
            start, line, returns = start - there.length, line - there.newlines, returns - there.returns
            return Placed(there, start, line, returns, block, slot - 1)
        if block:
            return self.placed(block - 1, len(self._blocks[block - 1].sections) - 1)
        return None

    def begins_line(self, placed: Placed) -> bool:
        """Whether what is before a section ends with `\\n`, or nothing is."""
        block, slot = placed.block, placed.slot
        if not slot and not block:
            return True
        ahead = self._blocks[block].sections[slot - 1] if slot else self._blocks[block - 1].sections[-1]
        return ahead.pieces[-1].text.endswith("\n")

    def after(self, placed: Placed) -> Placed | None:
        """The section after this one."""
        section, start, line, returns, block, slot = placed
        slot += 1
        if slot == len(self._blocks[block].sections):
            block, slot = block + 1, 0
            if block == len(self._blocks):
                return None
        start, line, returns = start + section.length, line + section.newlines, returns + section.returns
        return Placed(self._blocks[block].sections[slot], start, line, returns, block, slot)

    def all(self) -> Iterator[Placed]:
        """Every section at its place."""
        start = line = returns = 0
        for number, block in enumerate(self._blocks):
            for index, section in enumerate(block.sections):
                yield Placed(section, start, line, returns, number, index)
                start += section.length
                line += section.newlines
                returns += section.returns

    def blocks(self) -> Iterator[tuple[Block, int]]:
        """Every block, and the number of line ends before it: of `\\n` and lone `\\r`."""
        line = 0
        for block, newlines, returns in zip(self._blocks, self._newlines, self._returns, strict=True):
            yield block, line
            line += newlines + returns

    def with_findings(self, pieces: Iterable[Piece] = ()) -> Iterator[Placed]:
        """The sections with findings, and those of some pieces, at their places.

        Costs nothing for blocks that have none.
        """
        holding: dict[int, set[Piece]] = {}
        for piece in pieces:
            holding.setdefault(piece.block, set()).add(piece)
        for number, block in enumerate(self._blocks):
            held = holding.get(block.number)
            if held or self._finding_counts[number]:
                _, start, line, returns, _, before = self.placed(number, 0)
                for slot, each in enumerate(block.finding_counts):
                    if each or (held and not held.isdisjoint(block.sections[slot].pieces)):
                        start += sum(block.lengths[before:slot])
                        line += sum(block.newlines[before:slot])
                        returns += sum(block.returns[before:slot])
                        before = slot
                        yield Placed(block.sections[slot], start, line, returns, number, slot)

    def replace(self, first: Placed, last: Placed, sections: list[Section], come: Iterable[Piece]) -> None:
        """Put `sections` in the place of those from `first` to `last`, both included; `come` are their new pieces."""
        if first.block == last.block:
            block = self._blocks[first.block]
            here = slice(first.slot, last.slot + 1)
            if sections and len(block.sections) + len(sections) <= 2 * _BLOCK:
                self._splice(first.block, here, sections, come)
                return
        self._sums = None
        head = self._blocks[first.block].sections[: first.slot]
        tail = self._blocks[last.block].sections[last.slot + 1 :]
        self._put(first.block, last.block + 1, head + sections + tail)

    def _splice(self, number: int, here: slice, sections: list[Section], come: Iterable[Piece]) -> None:
        block = self._blocks[number]
        block.memory = None
        block.take(come)
        block.sections[here] = sections
        finding_counts = [self._count_findings(section) for section in sections]
        self._finding_counts[number] += sum(finding_counts) - sum(block.finding_counts[here])
        block.finding_counts[here] = finding_counts
        sizes_of = zip(*[(section.length, section.newlines, section.returns) for section in sections], strict=True)
        measures = (block.lengths, block.newlines, block.returns), (self._lengths, self._newlines, self._returns)
        for sizes, measured, totals, sums in zip(sizes_of, *measures, self._sums or self._totals(), strict=True):
            more = sum(sizes) - sum(measured[here])
            measured[here] = sizes
            if more:
                totals[number] += more
                sums[number:] = [each + more for each in sums[number:]]

    def _put(self, start: int, stop: int, sections: list[Section]) -> None:
        cuts = range(0, len(sections), _BLOCK)
        numbers = range(self._serial, self._serial + len(cuts))
        self._serial += len(cuts)
        blocks = [
            Block(sections[at : at + _BLOCK], self._count_findings, number)
            for at, number in zip(cuts, numbers, strict=True)
        ]
        self._blocks[start:stop] = blocks
        self._numbers[start:stop] = numbers
        self._lengths[start:stop] = [sum(block.lengths) for block in blocks]
        self._newlines[start:stop] = [sum(block.newlines) for block in blocks]
        self._returns[start:stop] = [sum(block.returns) for block in blocks]
        self._finding_counts[start:stop] = [sum(block.finding_counts) for block in blocks]

    def _totals(self) -> tuple[list[int], list[int], list[int]]:
        if self._sums is None:
            self._sums = (
                list(accumulate(self._lengths)),
                list(accumulate(self._newlines)),
                list(accumulate(self._returns)),
            )
        return self._sums

    def _place(self, number: int, sizes: list[int], ends: list[int], value: int) -> Placed:
        """The section of a block where the sum of the sizes of its sections is more than a value.

        Shape: the value counts from the start of the document, and so do the ends of the blocks.
        """
        inside = list(accumulate(sizes))
        value -= ends[number - 1] if number else 0
        return self.placed(number, min(bisect_right(inside, value), len(inside) - 1))
