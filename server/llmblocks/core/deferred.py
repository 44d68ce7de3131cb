"""Problems that are created on access: a section remembers where they are, not each of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import overload

from llmblocks.core.problem import Problem


class Deferred(Sequence[Problem]):
    """Problems by a function that creates all of them, in order. Shape: `count` is their number."""

    __slots__ = ("_count", "_create")

    def __init__(self, count: int, create: Callable[[], Iterable[Problem]]) -> None:
        self._count = count
        self._create = create

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, index: int) -> Problem: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Problem]: ...
    def __getitem__(self, index: int | slice) -> Problem | Sequence[Problem]:
        return [*self][index]

    def __iter__(self) -> Iterator[Problem]:
        return iter(self._create())
