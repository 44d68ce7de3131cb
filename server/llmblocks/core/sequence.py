"""The sections of a document in a tree: found by place or by line, replaced by one path of new nodes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from operator import attrgetter
from typing import Any, NamedTuple
from weakref import ref

from llmblocks.core.section import Joined, Piece, Section
from llmblocks.core.tree import Node, length_of, newlines_of, nodes_of, where

CountFindings = Callable[[Section], int]
Block = Node[Section]
"""Neighbouring sections. It never changes: what is remembered on it holds."""
_BLOCK = 2
"""The height of the blocks that features go through."""


class Placed(NamedTuple):
    """A section at its place.

    Shape: `start` in code points, `line` counts `\\n`, `returns` counts lone `\\r`, all from the start of the document;
           `number` counts sections, and is good until the next edit.
    """

    section: Section
    start: int
    line: int
    returns: int
    number: int


class Address(NamedTuple):
    """The place of a piece: the number of its section, and its own in that, valid until the next edit.

    Of two addresses, the smaller is in front.
    """

    section: int
    piece: int


_finding_count_of: Callable[[Section | Block], int] = attrgetter("finding_count")


def _breaks_of(part: Section | Block) -> int:
    return part.newlines + part.returns


class Sections:
    """The sections of a document.

    Each part knows the node around it, by a weak reference: large documents are hidden from the garbage collector, so
    nothing may be a cycle. Of an earlier tree, no such way leads to the root.

    Shape: `count_findings` counts the findings of each new section.
    """

    __slots__ = ("_count_findings", "_last", "_root")

    def __init__(self, sections: list[Section], count_findings: CountFindings) -> None:
        self._count_findings = count_findings
        for section in sections:
            count_findings(section)
        self._root: Block = nodes_of(sections)
        _hold(self._root)
        # where the last question was: most are about one place
        self._last = self.placed(0)

    def __len__(self) -> int:
        return self._root.leaves

    def __iter__(self) -> Iterator[Section]:
        return iter(self._root)

    @property
    def length(self) -> int:
        return self._root.length

    @property
    def newlines(self) -> int:
        return self._root.newlines

    @property
    def returns(self) -> int:
        return self._root.returns

    @property
    def finding_count(self) -> int:
        return self._root.finding_count

    @property
    def root(self) -> Block:
        """All of them."""
        return self._root

    def at(self, offset: int) -> Placed:
        """The section that holds the character at `offset`; the last one where the text ends there."""
        last = self._last
        if last.start <= offset < last.start + last.section.length:
            return last
        return self._root_at(offset, length_of)

    def at_newline(self, newline: int) -> Placed:
        """The section that holds this newline, counting from 1; the last one where there are fewer."""
        last = self._last
        if last.line < newline <= last.line + last.section.newlines:
            return last
        return self._root_at(newline - 1, newlines_of)

    def at_break(self, line_end: int) -> Placed:
        """The section that holds this line end, counting from 1 and lone `\\r` as well as `\\n`."""
        return self._root_at(line_end - 1, _breaks_of)

    def find(self, piece: Piece) -> Address | None:
        """The place of a piece; None for a piece of another document, or of an earlier text."""
        part: Any = piece
        number = inside = 0
        while part is not self._root:
            around = part.around and part.around()
            if around is None:
                return None
            if isinstance(around, Node):
                number += around.before(around.children.index(part))[0]
            else:
                number, inside = 0, number
            part = around
        return Address(number, inside)

    def placed(self, number: int) -> Placed:
        """The section with a number."""
        _, length, newlines, returns = self._root.up_to(number)
        return Placed(self._root[number], length, newlines, returns, number)

    def start_of(self, place: Address) -> int:
        """Where a piece starts in the document."""
        placed = self.placed(place.section)
        return placed.start + placed.section.up_to(place.piece).length

    def before(self, placed: Placed) -> Placed | None:
        """The section before this one."""
        _, start, line, returns, number = placed
        if not number:
            return None
        found = self._root[number - 1]
        return Placed(found, start - found.length, line - found.newlines, returns - found.returns, number - 1)

    def begins_line(self, placed: Placed) -> bool:
        """Whether what is before a section ends with `\\n`, or nothing is."""
        return not placed.number or self._root[placed.number - 1].pieces[-1].text.endswith("\n")

    def after(self, placed: Placed) -> Placed | None:
        """The section after this one."""
        section, start, line, returns, number = placed
        if number + 1 == self._root.leaves:
            return None
        after = self._root[number + 1]
        return Placed(after, start + section.length, line + section.newlines, returns + section.returns, number + 1)

    def pieces_from(self, place: Address) -> Iterator[Piece]:
        """The pieces from one on."""
        sections = self._root.onward(place.section)
        yield from next(sections).pieces.onward(place.piece)
        for section in sections:
            yield from section.pieces

    def pieces_before(self, place: Address) -> Iterator[Piece]:
        """The pieces before one, the nearest first."""
        yield from self._root[place.section].pieces.backward(place.piece)
        for section in self._root.backward(place.section):
            yield from reversed(section.pieces)

    def all(self) -> Iterator[Placed]:
        """Every section at its place."""
        start = line = returns = 0
        for number, section in enumerate(self._root):
            yield Placed(section, start, line, returns, number)
            start += section.length
            line += section.newlines
            returns += section.returns

    def blocks(self, height: int = _BLOCK) -> Iterator[tuple[Block, int]]:
        """Every block, up to some hundred sections, and the number of line ends before it: of `\\n` and lone `\\r`.

        Shape: those of height 1 have up to 16 sections.
        """
        line = 0
        left: list[Block] = [self._root]
        while left:
            node = left.pop()
            if node.height > height:
                left += reversed(node.children)  # type: ignore[arg-type]
                continue
            yield node, line
            line += node.newlines + node.returns

    def with_findings(self, pieces: Iterable[Piece] = ()) -> Iterator[Placed]:
        """The sections with findings, and those of some pieces, at their places.

        Costs nothing for blocks that have none.
        """
        holding = holding_parts(pieces)
        test = (lambda part: part.finding_count or part in holding) if holding else _finding_count_of
        for section, (number, start, line, returns) in where(self._root, test):
            yield Placed(section, start, line, returns, number)

    def replace(self, first: Placed, last: Placed, sections: list[Section]) -> None:
        """Put `sections` in the place of those from `first` to `last`, both included."""
        for section in sections:
            self._count_findings(section)
        self._root = self._root.replaced(first.number, last.number + 1, sections)
        _hold(self._root)
        self._last = first._replace(section=sections[0]) if sections else self.placed(0)

    def _root_at(self, value: int, size: Callable[[Section | Block], int]) -> Placed:
        number, _, section = self._root.find(value, size)
        _, length, newlines, returns = self._root.up_to(number)
        found = self._last = Placed(section, length, newlines, returns, number)
        return found


def holding_parts(pieces: Iterable[Piece]) -> set[Any]:
    """Some pieces, and all parts of their document around them."""
    holding: set[Any] = set()
    for piece in pieces:
        part: Any = piece
        while part is not None and part not in holding:
            holding.add(part)
            part = part.around and part.around()
    return holding


def _hold(part: Node[Any] | Joined) -> None:
    """Tell the parts of one what is around them, and those of the new ones among them."""
    around = ref(part)
    for child in part.children:
        is_new = child.around is None
        child.around = around
        if is_new and not isinstance(child, Piece):
            _hold(child)
