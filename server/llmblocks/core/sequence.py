"""The sections of a document in a tree: found by place or by line, replaced by one path of new nodes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from operator import is_
from typing import NamedTuple

from llmblocks.core.section import Piece, Section
from llmblocks.core.tree import Node, length_of, newlines_of, nodes_of

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


def _breaks_of(part: Section | Block) -> int:
    return part.newlines + part.returns


class Sections:
    """The sections of a document.

    A piece knows the number of the lowest node around it, and not the node: that would be a cycle, and large documents
    are hidden from the garbage collector. A node that replaces one inherits its number; `_around` are the numbers of
    the nodes around nodes.

    Shape: `count_findings` counts the findings of each new section.
    """

    __slots__ = ("_around", "_count_findings", "_last", "_nodes", "_numbers", "_root", "_serial")

    def __init__(self, sections: list[Section], count_findings: CountFindings) -> None:
        self._count_findings = count_findings
        for section in sections:
            count_findings(section)
        self._root: Block = nodes_of(sections)
        self._numbers: dict[Block, int] = {}
        self._nodes: dict[int, Block] = {}
        self._around: dict[int, int] = {}
        self._serial = 0
        self._take_in(self._root, set())
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
        block = piece.block
        node = self._nodes.get(block)
        if node is None:
            return None
        for slot, section in enumerate(node.children):
            if piece in section.pieces:  # type: ignore[union-attr]
                number, inside = slot, section.pieces.index(piece)  # type: ignore[union-attr]
                break
        else:
            return None
        while (block := self._around.get(block, -1)) >= 0:
            inner, node = node, self._nodes[block]
            number += node.before(node.children.index(inner))[0]
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
        held = {*pieces}
        holding: set[Block] = set()
        # of so many, nearly every block has some
        are_many = len(held) > self._root.leaves // 8
        for piece in () if are_many else held:
            block = piece.block
            while block in self._nodes and (node := self._nodes[block]) not in holding:
                holding.add(node)
                block = self._around.get(block, -1)
        start = line = returns = number = 0
        left: list[Section | Block] = [self._root]
        while left:
            part = left.pop()
            if not isinstance(part, Node):
                if part.finding_count or (held and not held.isdisjoint(part.pieces)):
                    yield Placed(part, start, line, returns, number)
            elif part.finding_count or are_many or part in holding:
                left += reversed(part.children)
                continue
            start, line, returns = start + part.length, line + part.newlines, returns + part.returns
            number += part.leaves

    def replace(self, first: Placed, last: Placed, sections: list[Section], come: Iterable[Piece]) -> None:
        """Put `sections` in the place of those from `first` to `last`, both included; `come` are their new pieces."""
        for section in sections:
            self._count_findings(section)
        one, other = first.section.pieces[0].block, last.section.pieces[0].block
        for piece in come if one == other else (piece for section in sections for piece in section.pieces):
            piece.block = one
        old, new = self._root, self._root.replaced(first.number, last.number + 1, sections)
        self._root = new
        self._last = first._replace(section=sections[0]) if sections else self.placed(0)
        if first.number == last.number and len(sections) == 1:
            self._inherit(old, new)
        else:
            self._take_in(new, set())
            self._around.pop(self._numbers[new], None)
            if old is not new:
                self._let_go(old)

    def _inherit(self, old: Block, new: Block) -> None:
        """Let the nodes of a path have the numbers of those that they replace."""
        while old is not new:
            number = self._numbers[new] = self._numbers.pop(old)
            self._nodes[number] = new
            if new.height > 1:
                index = [*map(is_, old.children, new.children)].index(False)
                old, new = old.children[index], new.children[index]  # type: ignore[assignment]
            else:
                old = new

    def _take_in(self, node: Block, taken: set[int]) -> int:
        """The number of a node. One that is new gets that of another in its place, and so do its pieces."""
        known = self._numbers.get(node)
        if known is not None:
            return known
        sections: Sequence[Section] = node.children if node.height == 1 else ()  # type: ignore[assignment]
        blocks = [section.pieces[0].block for section in sections]
        number = next((block for block in blocks if block >= 0 and block not in taken), self._serial)
        self._serial += number == self._serial
        taken.add(number)
        for section, block in zip(sections, blocks, strict=True):
            for piece in section.pieces if block != number else ():
                piece.block = number
        if node.height > 1:
            for child in node.children:
                assert isinstance(child, Node)
                self._around[self._take_in(child, taken)] = number
        self._numbers[node], self._nodes[number] = number, node
        return number

    def _let_go(self, node: Block) -> None:
        """Forget a node of an earlier tree, and those under it that are not in this one."""
        number = self._numbers.pop(node)
        if self._nodes[number] is node:
            del self._nodes[number]
            self._around.pop(number, None)
        for child in node.children if node.height > 1 else ():
            assert isinstance(child, Node)
            known = self._numbers[child]
            if self._nodes[known] is not child or self._around.get(known) == number:
                self._let_go(child)

    def _root_at(self, value: int, size: Callable[[Section | Block], int]) -> Placed:
        number, _, section = self._root.find(value, size)
        _, length, newlines, returns = self._root.up_to(number)
        found = self._last = Placed(section, length, newlines, returns, number)
        return found
