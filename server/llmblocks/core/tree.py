"""A persistent tree over the parts of a text: an edit makes one path of nodes anew, and no others."""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import accumulate, chain, islice
from operator import attrgetter
from typing import Any, Generic, NamedTuple, TypeVar, overload
from weakref import ref

from llmblocks.core.scan import Kind

FAN = 16
"""The most children of a node."""


class Remembers:
    """An immutable object that keeps the answers of queries about it (see `core.query`)."""

    __slots__ = ("memory",)

    memory: dict[Any, Any] | None


class Held(Remembers):
    """Part of a document. Shape: `around` is what holds it there; None until a document holds it."""

    __slots__ = ("around",)

    around: ref[Any] | None


class Measure(NamedTuple):
    """The size of some neighbouring leaves.

    Shape: `leaves` is their number, `length` counts code points, `newlines` every `\\n`, `returns` every `\\r` that no
           `\\n` follows.
    """

    leaves: int
    length: int
    newlines: int
    returns: int


_COUNTS = range(1, 1 << 30)
alike: Callable[[frozenset[Kind]], frozenset[Kind]] = lru_cache(maxsize=4096)(frozenset)
"""The sets of kinds that pieces and nodes have: few, of very many."""
length_of: Callable[[Any], int] = attrgetter("length")
newlines_of: Callable[[Any], int] = attrgetter("newlines")
_returns_of: Callable[[Any], int] = attrgetter("returns")
NOTHING = Measure(0, 0, 0, 0)


class Measured(Held):
    """The smallest part of a tree. Shape: see `Measure`; `kinds` are those of its tokens."""

    __slots__ = ()

    kinds: frozenset[Kind]
    length: int
    newlines: int
    returns: int
    leaves = 1
    finding_count: int


L = TypeVar("L", bound=Measured)


class Parts(Generic[L]):
    """Neighbouring leaves, as a sequence.

    Shape: all leaves are at the same depth, which is `height`; `children` are nodes, or leaves where it is 1.
    """

    __slots__ = ()

    children: tuple[L | Node[L], ...]
    height: int
    leaves: int
    returns: int
    _ends: tuple[Sequence[int], Sequence[int]]

    def __len__(self) -> int:
        return self.leaves

    def __iter__(self) -> Iterator[L]:
        return iter(self.children) if self.height == 1 else chain.from_iterable(self.children)  # type: ignore[arg-type]

    def __reversed__(self) -> Iterator[L]:
        if self.height == 1:
            return reversed(self.children)  # type: ignore[arg-type]
        return chain.from_iterable(map(reversed, reversed(self.children)))  # type: ignore[arg-type]

    @overload
    def __getitem__(self, key: int) -> L: ...
    @overload
    def __getitem__(self, key: slice) -> tuple[L, ...]: ...
    def __getitem__(self, key: int | slice) -> L | tuple[L, ...]:
        """Shape: the step of a slice is 1. It costs the nodes that it touches."""
        if isinstance(key, slice):
            start, end, _ = key.indices(self.leaves)
            return (*islice(self.onward(start), max(end - start, 0)),)
        number = key if key >= 0 else key + self.leaves
        if not 0 <= number < self.leaves:
            raise IndexError(key)
        node = self
        while node.height > 1:
            ends, _ = node._ends
            index = bisect_right(ends, number)
            if index:
                number -= ends[index - 1]
            node = node.children[index]  # type: ignore[assignment]
        return node.children[number]  # type: ignore[return-value]

    def ahead(self, number: int) -> Sequence[L | Node[L]]:
        """The leaves before the one with a number, in parts as large as possible."""
        found: list[L | Node[L]] = []
        node = self
        while number:
            ends, _ = node._ends
            index = bisect_right(ends, number)
            found += node.children[:index]
            number -= ends[index - 1] if index else 0
            if number:
                node = node.children[index]  # type: ignore[assignment]
        return found

    def behind(self, number: int) -> Sequence[L | Node[L]]:
        """The leaves from one with a number on, in parts as large as possible."""
        ends, _ = self._ends
        index = bisect_right(ends, number)
        inside = number - ends[index - 1] if index else number
        if not inside:
            return self.children[index:]
        child = self.children[index]
        assert isinstance(child, Node)
        return (*child.behind(inside), *self.children[index + 1 :])

    def backward(self, number: int) -> Iterator[L]:
        """The leaves before the one with a number, the nearest first."""
        for part in reversed(self.ahead(number)):
            yield from reversed(part) if isinstance(part, Node) else (part,)

    def onward(self, number: int) -> Iterator[L]:
        """The leaves from one with a number on."""
        for part in self.behind(number):
            yield from part if isinstance(part, Node) else (part,)

    def up_to(self, number: int) -> Measure:
        """The size of the leaves before the one with a number."""
        ahead = self.ahead(number)
        length, newlines = sum(map(length_of, ahead)), sum(map(newlines_of, ahead))
        return Measure(number, length, newlines, sum(map(_returns_of, ahead)) if self.returns else 0)

    def find(self, value: int, size: Callable[[L | Node[L]], int]) -> tuple[int, int, L]:
        """The first leaf with which a sum of sizes exceeds a value: its number, what is left of the value, and itself.

        Shape: where none does, it is the last leaf.
        """
        number, node = 0, self
        while True:
            leaves, lengths = node._ends
            ends = lengths if size is length_of else [*accumulate(map(size, node.children))]
            index = min(bisect_right(ends, value), len(ends) - 1)
            if index:
                value -= ends[index - 1]
                number += leaves[index - 1]
            if node.height == 1:
                return number, value, node.children[index]  # type: ignore[return-value]
            node = node.children[index]  # type: ignore[assignment]


class Leaf(Measured, Parts[L]):
    """One that is a tree of one, too."""

    __slots__ = ()

    height = 1

    @property
    def children(self) -> tuple[L]:  # type: ignore[override]
        return (self,)  # type: ignore[return-value]

    @property
    def _ends(self) -> tuple[Sequence[int], Sequence[int]]:  # type: ignore[override]
        return _COUNTS[:1], (self.length,)

    def find(self, value: int, size: Callable[[L | Node[L]], int] = length_of) -> tuple[int, int, L]:
        """See `Parts.find`. Most sections are a leaf."""
        return 0, value, self  # type: ignore[return-value]


class Node(Held, Parts[L]):
    """Neighbouring leaves, as a sequence. It never changes.

    Shape: all leaves are at the same depth, which is `height`; `children` are nodes, or leaves where it is 1. See
           `Measure` for the sums; `kinds` are those of all tokens.
    """

    __slots__ = (
        "__weakref__",
        "_ends",
        "children",
        "finding_count",
        "height",
        "kinds",
        "leaves",
        "length",
        "newlines",
        "returns",
    )

    leaves: int
    finding_count: int
    length: int
    newlines: int
    returns: int

    def __init__(self, children: Sequence[L | Node[L]], height: int = 1) -> None:
        self.memory = self.around = None
        self.children: tuple[L | Node[L], ...] = (*children,)
        self.height = height
        self._ends: tuple[Sequence[int], array[int]]
        self._ends = leaves, lengths = (
            _COUNTS[: len(children)] if height == 1 else [*accumulate([each.leaves for each in children])],
            array("q", accumulate([each.length for each in children])),
        )
        self.leaves = leaves[-1]
        self.length = lengths[-1]
        self.newlines = sum([each.newlines for each in children])
        self.returns = sum([each.returns for each in children])
        self.finding_count = sum([each.finding_count for each in children])
        self.kinds: frozenset[Kind] = alike(frozenset().union(*[each.kinds for each in children]))

    def before(self, index: int) -> tuple[int, int]:
        """The leaves before a child: their number and their length."""
        leaves, lengths = self._ends
        return (leaves[index - 1], lengths[index - 1]) if index else (0, 0)

    def replaced(self, start: int, end: int, leaves: Sequence[L]) -> Node[L]:
        """This tree with others in the place of the leaves from `start` up to `end`; at least one leaf is left."""
        if end - start == 1 == len(leaves):
            return self._with(start, leaves[0])
        made = self._replaced(start, end, leaves)
        while len(made) > 1:
            made = _nodes(made, made[0].height + 1)
        root = made[0]
        while root.height > 1 and len(root.children) == 1:
            root = root.children[0]  # type: ignore[assignment]
        return root

    def _with(self, number: int, leaf: L) -> Node[L]:
        """This tree with another leaf in the place of one: nearly every keystroke."""
        leaves, lengths = self._ends
        index = bisect_right(leaves, number)
        old = self.children[index]
        new = old._with(number - (leaves[index - 1] if index else 0), leaf) if isinstance(old, Node) else leaf
        made: Node[L] = Node.__new__(Node)
        made.memory = made.around = None
        made.children = (*self.children[:index], new, *self.children[index + 1 :])
        made.height, made.leaves = self.height, self.leaves
        more = new.length - old.length
        made.length = self.length + more
        made._ends = leaves, array("q", [*lengths[:index], *[each + more for each in lengths[index:]]])
        made.newlines = self.newlines + new.newlines - old.newlines
        made.returns = self.returns + new.returns - old.returns
        made.finding_count = self.finding_count + new.finding_count - old.finding_count
        if new.kinds is old.kinds:
            made.kinds = self.kinds
        else:
            made.kinds = alike(frozenset().union(*[each.kinds for each in made.children]))
        return made

    def _replaced(self, start: int, end: int, leaves: Sequence[L]) -> list[Node[L]]:
        """The nodes of the same height in its place."""
        children = self.children
        if self.height == 1:
            return _nodes((*children[:start], *leaves, *children[end:]), 1)
        ends, _ = self._ends
        first = min(bisect_right(ends, start), len(ends) - 1)
        last = max(bisect_left(ends, end), first)
        at, behind = ends[first - 1] if first else 0, ends[last]
        one, other = children[first], children[last]
        assert isinstance(one, Node)
        assert isinstance(other, Node)
        made = one._replaced(start - at, min(end - at, one.leaves), leaves)
        if other is not one:
            made += other._replaced(0, end - behind + other.leaves, ())
        if not made or min([len(each.children) for each in made]) < FAN // 2:
            # joined with a neighbour, or there would soon be a node for each leaf
            if last + 1 < len(children):
                last += 1
                made.append(children[last])  # type: ignore[arg-type]
            elif first:
                first -= 1
                made.insert(0, children[first])  # type: ignore[arg-type]
            made = _nodes([child for each in made for child in each.children], self.height - 1)
        return _nodes((*children[:first], *made, *children[last + 1 :]), self.height)


def where(
    root: L | Node[L], test: Callable[[L | Node[L]], object], numbers: Sequence[int] = ()
) -> Iterator[tuple[L, Measure]]:
    """The leaves that a test finds, as it does the nodes around them, and those with some numbers, which ascend.

    Shape: each has what is before it.
    """
    number = length = newlines = returns = 0
    left = [root]
    while left:
        part = left.pop()
        if test(part) or (numbers and bisect_left(numbers, number) < bisect_left(numbers, number + part.leaves)):
            if isinstance(part, Node):
                left += reversed(part.children)
                continue
            yield part, Measure(number, length, newlines, returns)
        number += part.leaves
        length += part.length
        newlines += part.newlines
        returns += part.returns


def tree(leaves: Sequence[L]) -> L | Node[L]:
    """A tree of some leaves, at least one."""
    return leaves[0] if len(leaves) == 1 else nodes_of(leaves)


def nodes_of(leaves: Sequence[L]) -> Node[L]:
    """The same, where one is in a node, too."""
    nodes = _nodes(leaves, 1)
    while len(nodes) > 1:
        nodes = _nodes(nodes, nodes[0].height + 1)
    return nodes[0]


def _nodes(children: Sequence[Any], height: int) -> list[Node[Any]]:
    """Nodes as long as each other."""
    size = len(children)
    count = -(-size // FAN)
    return [Node(children[size * at // count : size * (at + 1) // count], height) for at in range(count)]
