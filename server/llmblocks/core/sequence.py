"""The sections of a document: found by place, line or number, replaced in place."""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate, chain
from operator import attrgetter
from typing import Final, NamedTuple
from weakref import ref

from llmblocks.core.section import Remembers, Section

_SIZE: Final = 32
"""The maximum number of sections in a block."""
_MEASURES: Final = {name: attrgetter(name) for name in ("length", "breaks")}


class Block(Remembers):
    """Some neighbouring sections. It never changes, so cached answers stay valid."""

    __slots__ = ("__weakref__", "before", "finding_count", "number", "sections")

    number: int
    """The number of the block in its document."""
    before: dict[str, array[int]]
    """The code points and the line ends before each section, and in all."""

    def __init__(self, sections: Sequence[Section]) -> None:
        self.memory = None
        self.number = -1
        self.sections = (*sections,)
        self.before = {name: array("q", accumulate(map(of, sections), initial=0)) for name, of in _MEASURES.items()}
        self.finding_count = sum([each.finding_count for each in sections])
        here = ref(self)
        for each in sections:
            each.block = here

    def __iter__(self) -> Iterator[Section]:
        return iter(self.sections)


class Placed(NamedTuple):
    """A section with its place, valid until the next edit. Numbers count from the start of the document."""

    section: Section
    start: int
    """The code points before it."""
    breaks: int
    """The line ends before it: `\\n` and lone `\\r`."""
    number: int
    """The sections before it."""
    before: Section | None
    """The section before it."""

    @property
    def end(self) -> int:
        return self.start + self.section.length


class Sections:
    """The sections of a document, in blocks with sums.

    An edit rebuilds its block, and moves the sums after it that it changes.
    """

    __slots__ = ("_before", "_numbers", "blocks", "finding_count")

    blocks: list[Block]
    """All blocks in order, to be read only."""

    def __init__(self, sections: Sequence[Section]) -> None:
        self.blocks = []
        # of all that is before each block, and of the document
        self._before = {name: [0] for name in _MEASURES}
        self._numbers = [0]
        self.finding_count = 0
        self._put(0, 0, sections)

    def __len__(self) -> int:
        return self._numbers[-1]

    def __iter__(self) -> Iterator[Section]:
        return chain.from_iterable(self.blocks)

    @property
    def length(self) -> int:
        """The code points of all."""
        return self._before["length"][-1]

    @property
    def breaks(self) -> int:
        """The number of line ends: `\\n` and lone `\\r`."""
        return self._before["breaks"][-1]

    def at(self, offset: int) -> Placed:
        """Return the section that contains the character at `offset`; the last one at the end of the text."""
        return self._find("length", offset)

    def at_break(self, line_end: int) -> Placed:
        """Return the section with the nth line end, counted from 1: a `\\n` or a lone `\\r`."""
        return self._find("breaks", line_end - 1)

    def number(self, section: Section) -> int | None:
        """Return the index of a section; None if it is not, or no longer, in this document."""
        block = section.block() if section.block is not None else None
        if block is None or block.number >= len(self.blocks) or self.blocks[block.number] is not block:
            return None
        return self._numbers[block.number] + block.sections.index(section)

    def placed(self, number: int) -> Placed:
        """Return the section at an index."""
        return self._placed(*self.inside(number))

    def place_of(self, section: Section) -> Placed:
        """Return a section of this document with its place."""
        number = self.number(section)
        assert number is not None, "it is one of this document"
        return self.placed(number)

    def __getitem__(self, number: int) -> Section:
        index, inside = self.inside(number if number >= 0 else number + len(self))
        return self.blocks[index].sections[inside]

    def all(self) -> Iterator[Placed]:
        """Yield every section with its place."""
        return chain.from_iterable(map(self.placed_in, self.blocks))

    def placed_in(self, block: Block) -> Iterator[Placed]:
        """Yield the sections of a block of this document with their places."""
        _, start, breaks, number, before = self.first_of(block)
        for section in block.sections:
            yield Placed(section, start, breaks, number, before)
            start, breaks = start + section.length, breaks + section.breaks
            number, before = number + 1, section

    def onward(self, number: int) -> Iterator[Section]:
        """Yield the sections from an index on."""
        index, inside = self.inside(number)
        return chain(self.blocks[index].sections[inside:], chain.from_iterable(self.blocks[index + 1 :]))

    def backward(self, number: int) -> Iterator[Section]:
        """Yield the sections before an index, nearest first."""
        index, inside = self.inside(number)
        yield from reversed(self.blocks[index].sections[:inside])
        for block in reversed(self.blocks[:index]):
            yield from reversed(block.sections)

    def first_of(self, block: Block) -> Placed:
        """Return the first section of a block of this document."""
        return self._placed(block.number, 0)

    def replace(self, first: int, end: int, sections: Sequence[Section]) -> None:
        """Replace the sections with the indices from `first` up to `end`."""
        index, inside = self.inside(first)
        stop = max(bisect_left(self._numbers, end), index + 1)
        tail = self.blocks[stop - 1].sections[end - self._numbers[stop - 1] :]
        made = [*self.blocks[index].sections[:inside], *sections, *tail]
        if len(made) < _SIZE // 4 and stop < len(self.blocks):
            made += self.blocks[stop].sections
            stop += 1
        self._put(index, stop, made)

    def _put(self, index: int, stop: int, sections: Sequence[Section]) -> None:
        """Replace the blocks from `index` up to `stop`."""
        size, count = len(sections), -(-len(sections) // _SIZE)
        made = [Block(sections[size * at // count : size * (at + 1) // count]) for at in range(count)]
        self.finding_count += sum([each.finding_count for each in made])
        self.finding_count -= sum([each.finding_count for each in self.blocks[index:stop]])
        _set_sums(self._numbers, index, stop, [len(each.sections) for each in made])
        for name, sums in self._before.items():
            _set_sums(sums, index, stop, [each.before[name][-1] for each in made])
        self.blocks[index:stop] = made
        for number, block in enumerate(self.blocks[index:] if count != stop - index else made, index):
            block.number = number

    def _find(self, measure: str, value: int) -> Placed:
        """Return the first section at which a sum exceeds a value; the last one if none does."""
        sums = self._before[measure]
        index = min(bisect_right(sums, value), len(self.blocks)) - 1
        block = self.blocks[index]
        return self._placed(
            index, min(bisect_right(block.before[measure], value - sums[index]), len(block.sections)) - 1
        )

    def inside(self, number: int) -> tuple[int, int]:
        """Return the block of the section at an index, and its index there; the end of the last block for the end."""
        index = min(bisect_right(self._numbers, number), len(self.blocks)) - 1
        return index, number - self._numbers[index]

    def _placed(self, index: int, inside: int) -> Placed:
        block = self.blocks[index]
        start, breaks = [sums[index] + block.before[name][inside] for name, sums in self._before.items()]
        before = (block if inside else self.blocks[index - 1]).sections[inside - 1] if index or inside else None
        return Placed(block.sections[inside], start, breaks, self._numbers[index] + inside, before)


def _set_sums(sums: list[int], index: int, stop: int, sizes: Sequence[int]) -> None:
    """Replace the sizes from `index` up to `stop` in the sums before each of them. Sums after them often stay."""
    made = [*accumulate(sizes, initial=sums[index])]
    moved = made[-1] - sums[stop]
    sums[index : stop + 1] = made
    if moved:
        after = index + len(made)
        sums[after:] = [each + moved for each in sums[after:]]
