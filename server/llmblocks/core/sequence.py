"""The sections of a document: found by place, line or number, replaced in place."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence, Set
from itertools import accumulate
from typing import Final, NamedTuple
from weakref import ref

from llmblocks.core.section import Remembers, Section

_SIZE: Final = 64
"""The maximum number of sections in a block."""


class Block(Remembers):
    """Some neighbouring sections. It never changes, so cached answers stay valid."""

    __slots__ = (
        "__weakref__",
        "breaks_before",
        "finding_count",
        "length",
        "length_before",
        "newlines",
        "newlines_before",
        "number",
        "returns",
        "sections",
    )

    number: int
    """The number of the block in its document."""
    length_before: list[int]
    """The code points before each section, and in all."""
    newlines_before: list[int]
    """The same for `\\n`."""
    breaks_before: list[int]
    """The same for line ends: `\\n` and lone `\\r`."""

    def __init__(self, sections: Sequence[Section]) -> None:
        self.memory = None
        self.number = -1
        self.sections = (*sections,)
        self.length_before = [0, *accumulate([each.length for each in sections])]
        self.newlines_before = [0, *accumulate([each.newlines for each in sections])]
        self.breaks_before = self.newlines_before
        if any(each.returns for each in sections):
            self.breaks_before = [0, *accumulate([each.newlines + each.returns for each in sections])]
        self.length, self.newlines = self.length_before[-1], self.newlines_before[-1]
        self.returns = self.breaks_before[-1] - self.newlines
        self.finding_count = sum([each.finding_count for each in sections])
        here = ref(self)
        for each in sections:
            each.block = here

    def __len__(self) -> int:
        return len(self.sections)

    def __iter__(self) -> Iterator[Section]:
        return iter(self.sections)


class Placed(NamedTuple):
    """A section with its place, valid until the next edit. Numbers count from the start of the document."""

    section: Section
    start: int
    """The code points before it."""
    line: int
    """The `\\n` before it."""
    returns: int
    """The lone `\\r` before it."""
    number: int
    """The sections before it."""

    @property
    def end(self) -> int:
        return self.start + self.section.length


class Sections:
    """The sections of a document, in blocks with sums.

    An edit rebuilds its block, and adds a few numbers for each other block.
    """

    __slots__ = ("_blocks", "_breaks", "_last", "_lengths", "_newlines", "_numbers", "finding_count")

    def __init__(self, sections: Sequence[Section]) -> None:
        self._blocks: list[Block] = []
        self._put(0, 0, sections)
        self._last = self.placed(0)

    def __len__(self) -> int:
        return self._numbers[-1]

    def __iter__(self) -> Iterator[Section]:
        for block in self._blocks:
            yield from block.sections

    @property
    def length(self) -> int:
        """The code points of all."""
        return self._lengths[-1]

    @property
    def newlines(self) -> int:
        """The number of `\\n`."""
        return self._newlines[-1]

    @property
    def returns(self) -> int:
        """The number of `\\r` that no `\\n` follows."""
        return self._breaks[-1] - self._newlines[-1]

    def at(self, offset: int) -> Placed:
        """Return the section that contains the character at `offset`; the last one at the end of the text."""
        last = self._last
        if last.start <= offset < last.end:
            return last
        return self._find(self._lengths, offset, lambda block: block.length_before)

    def at_newline(self, newline: int) -> Placed:
        """Return the section with the nth `\\n`, counted from 1; the last one if there are fewer."""
        return self._find(self._newlines, newline - 1, lambda block: block.newlines_before)

    def at_break(self, line_end: int) -> Placed:
        """Return the section with the nth line end, counted from 1: a `\\n` or a lone `\\r`."""
        return self._find(self._breaks, line_end - 1, lambda block: block.breaks_before)

    def number(self, section: Section) -> int | None:
        """Return the index of a section; None if it is not, or no longer, in this document."""
        block = section.block() if section.block is not None else None
        if block is None or block.number >= len(self._blocks) or self._blocks[block.number] is not block:
            return None
        return self._numbers[block.number] + block.sections.index(section)

    def placed(self, number: int) -> Placed:
        """Return the section at an index."""
        index = min(bisect_right(self._numbers, number), len(self._blocks)) - 1
        return self._placed(index, number - self._numbers[index])

    def place_of(self, section: Section) -> Placed:
        """Return a section of this document with its place."""
        number = self.number(section)
        assert number is not None, "it is one of this document"
        return self.placed(number)

    def before(self, placed: Placed) -> Placed | None:
        """Return the section before this one."""
        return self.placed(placed.number - 1) if placed.number else None

    def after(self, placed: Placed) -> Placed | None:
        """Return the section after this one."""
        return self.placed(placed.number + 1) if placed.number + 1 < len(self) else None

    def __getitem__(self, number: int) -> Section:
        index = bisect_right(self._numbers, number) - 1
        return self._blocks[index].sections[number - self._numbers[index]]

    def all(self) -> Iterator[Placed]:
        """Yield every section with its place."""
        for index in range(len(self._blocks)):
            yield from self._in_block(index)

    def onward(self, number: int) -> Iterator[Section]:
        """Yield the sections from an index on."""
        if number >= len(self):
            return
        index = bisect_right(self._numbers, number) - 1
        yield from self._blocks[index].sections[number - self._numbers[index] :]
        for block in self._blocks[index + 1 :]:
            yield from block.sections

    def backward(self, number: int) -> Iterator[Section]:
        """Yield the sections before an index, nearest first."""
        index = min(bisect_right(self._numbers, number), len(self._blocks)) - 1
        yield from reversed(self._blocks[index].sections[: number - self._numbers[index]])
        for block in reversed(self._blocks[:index]):
            yield from reversed(block.sections)

    def blocks(self) -> Iterator[tuple[Block, int]]:
        """Return every block, and the number of line ends before it: of `\\n` and lone `\\r`."""
        return zip(self._blocks, self._breaks, strict=False)

    def with_findings(self, others: Set[Section] = frozenset()) -> Iterator[Placed]:
        """Yield the sections with findings, and `others`, with their places. Blocks without any cost nothing."""
        for index, block in enumerate(self._blocks):
            if block.finding_count or (others and not others.isdisjoint(block.sections)):
                for placed in self._in_block(index):
                    if placed.section.finding_count or placed.section in others:
                        yield placed

    def replace(self, first: int, end: int, sections: Sequence[Section]) -> None:
        """Replace the sections with the indices from `first` up to `end`."""
        index = min(bisect_right(self._numbers, first), len(self._blocks)) - 1
        stop = max(bisect_left(self._numbers, end), index + 1)
        head = self._blocks[index].sections[: first - self._numbers[index]]
        tail = self._blocks[stop - 1].sections[end - self._numbers[stop - 1] :]
        made = [*head, *sections, *tail]
        if len(made) < _SIZE // 4 and stop < len(self._blocks):
            made += self._blocks[stop].sections
            stop += 1
        self._put(index, stop, made)
        self._last = self.placed(min(first, len(self) - 1))

    def _put(self, index: int, stop: int, sections: Sequence[Section]) -> None:
        """Replace the blocks from `index` up to `stop`."""
        count = -(-len(sections) // _SIZE)
        size = len(sections)
        made = [Block(sections[size * at // count : size * (at + 1) // count]) for at in range(count)]
        self._blocks[index:stop] = made
        moved = self._blocks[index:] if len(made) != stop - index else made
        for number, block in enumerate(moved, index):
            block.number = number
        blocks = self._blocks
        self._numbers = [0, *accumulate([len(each.sections) for each in blocks])]
        self._lengths = [0, *accumulate([each.length for each in blocks])]
        self._newlines = [0, *accumulate([each.newlines for each in blocks])]
        self._breaks = [0, *accumulate([each.newlines + each.returns for each in blocks])]
        self.finding_count = sum([each.finding_count for each in blocks])

    def _find(self, sums: Sequence[int], value: int, inside: Callable[[Block], Sequence[int]]) -> Placed:
        """Return the first section at which a sum exceeds a value; the last one if none does.

        Args:
            sums: The sums before each block.
            inside: Returns the sums before each section of a block.
        """
        index = min(bisect_right(sums, value), len(self._blocks)) - 1
        block = self._blocks[index]
        found = self._last = self._placed(index, min(bisect_right(inside(block), value - sums[index]), len(block)) - 1)
        return found

    def _placed(self, index: int, inside: int) -> Placed:
        block = self._blocks[index]
        newlines, breaks = self._newlines[index] + block.newlines_before[inside], self._breaks[index]
        return Placed(
            block.sections[inside],
            self._lengths[index] + block.length_before[inside],
            newlines,
            breaks + block.breaks_before[inside] - newlines,
            self._numbers[index] + inside,
        )

    def _in_block(self, index: int) -> Iterator[Placed]:
        start, line, number = self._lengths[index], self._newlines[index], self._numbers[index]
        returns = self._breaks[index] - line
        for section in self._blocks[index].sections:
            yield Placed(section, start, line, returns, number)
            start += section.length
            line += section.newlines
            returns += section.returns
            number += 1
