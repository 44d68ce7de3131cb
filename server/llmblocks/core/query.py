"""Functions of the parts of a document, whose results are remembered until the part changes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Generic, TypeVar

from llmblocks.core.section import Section
from llmblocks.core.tree import Node, Remembers

S = TypeVar("S", bound=Remembers)
T = TypeVar("T")


class Query(Generic[S, T]):
    """A named function of a piece or a section, computed once for each.

    Queries are made once, at module level or in a cached function of their parameters.

    Shape: `compute` depends on nothing but the piece or section. Where `lasting`, a document keeps the answer when it
           evicts the others: for answers that are small, or empty for most sections.
    """

    __slots__ = ("_compute", "lasting", "name")

    def __init__(self, name: str, compute: Callable[[S], T], *, lasting: bool = False) -> None:
        self.name = name
        self._compute = compute
        self.lasting = lasting

    def __call__(self, subject: S) -> T:
        memory = subject.memory
        if memory is None:
            memory = subject.memory = {}
        elif self in memory:
            return memory[self]  # type: ignore[no-any-return]
        found = memory[self] = self._compute(subject)
        return found

    def once(self, subject: S) -> T:
        """The answer, which is not remembered: for what looks at all pieces of a document."""
        found = self.known(subject)
        return self._compute(subject) if found is None else found

    def known(self, subject: S) -> T | None:
        """The remembered answer, or None."""
        memory = subject.memory
        return None if memory is None else memory.get(self)

    def __repr__(self) -> str:
        return f"Query({self.name!r})"


class Summary(Query[Any, T]):
    """A function of any neighbouring pieces, or sections: of one, and of what several show, joined.

    It is remembered on each node of their tree, so that an edit costs the depth of the tree, however many they are.

    Shape: `of` is what one shows: a query, unless it is cheap. `join` is given what neighbours show, in order, at
           least one; how they are grouped makes no difference.
    """

    __slots__ = ("join", "of")

    def __init__(self, name: str, of: Callable[[Any], T], join: Callable[[Iterable[T]], T]) -> None:
        of_node = super().__call__
        super().__init__(name, lambda node: join(map(of if node.height == 1 else of_node, node.children)))
        self.of = of
        self.join = join

    def __call__(self, part: Any) -> T:
        return super().__call__(part) if isinstance(part, Node) else self.of(part)


SHORT = 1 << 16
"""Of a text shorter than this, in code points, all answers are remembered: finding them again costs more."""


def evict(section: Section) -> None:
    """Forget all answers about a section except those of lasting queries that are not empty.

    The pieces of a section in several pieces keep theirs, and such a section its lasting answers even where these are
    empty: they are what makes an edit in it cheap.
    """
    memory, is_long = section.memory, section.is_long
    if memory is not None:
        section.memory = {
            query: found for query, found in memory.items() if query.lasting and (found or is_long)
        } or None
