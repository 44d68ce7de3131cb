"""Functions of the parts of a document. Each result is cached until the part changes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from llmblocks.core.section import Remembers

S = TypeVar("S", bound=Remembers)
T = TypeVar("T")


class Query(Generic[S, T]):
    """A named function of a section or a block, computed once for each. It depends on nothing else.

    Queries are made once, at module level or in a cached function of their parameters.
    """

    __slots__ = ("_compute", "name")

    def __init__(self, name: str, compute: Callable[[S], T]) -> None:
        self.name = name
        self._compute = compute

    def __call__(self, subject: S) -> T:
        memory = subject.memory
        if memory is None:
            memory = subject.memory = {}
        elif self in memory:
            return memory[self]  # type: ignore[no-any-return]
        found = memory[self] = self._compute(subject)
        return found

    def known(self, subject: S) -> T | None:
        """Return the cached answer, or None."""
        memory = subject.memory
        return None if memory is None else memory.get(self)

    def __repr__(self) -> str:
        return f"Query({self.name!r})"
