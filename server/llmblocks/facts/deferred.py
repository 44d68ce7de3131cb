"""Problems that are created on access: of thousands, a client is shown a few."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from itertools import compress
from typing import overload

from llmblocks.facts.problem import Problem
from llmblocks.facts.rule import Rule


class Deferred(Sequence[Problem]):
    """Problems by their kinds and a function that creates all of them, in order. They are moved `by` code points."""

    __slots__ = ("_by", "_create", "_kinds")

    def __init__(self, kinds: Sequence[Rule], create: Callable[[], Iterable[Problem]], by: int = 0) -> None:
        self._kinds = kinds
        self._create = create
        self._by = by

    def moved(self, by: int) -> Deferred:
        """The same problems, so many code points further on."""
        return Deferred(self._kinds, self._create, self._by + by) if by else self

    def of(self, wanted: Container[Rule]) -> Deferred:
        """Those of the kinds that are wanted."""
        if all(map(wanted.__contains__, {*self._kinds})):
            return self
        is_wanted, create = [kind in wanted for kind in self._kinds], self._create
        return Deferred([*compress(self._kinds, is_wanted)], lambda: compress(create(), is_wanted), self._by)

    def __len__(self) -> int:
        return len(self._kinds)

    @overload
    def __getitem__(self, index: int) -> Problem: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Problem]: ...
    def __getitem__(self, index: int | slice) -> Problem | Sequence[Problem]:
        return [*self][index]

    def __iter__(self) -> Iterator[Problem]:
        return iter([each.moved(self._by) for each in self._create()] if self._by else self._create())
