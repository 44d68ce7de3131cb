"""The persistent collections that `referencing` and `jsonschema` take from rpds-py, which has no WebAssembly wheel.

Each change copies the collection: those of a schema have a few entries.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class HashTrieMap(dict[K, V]):
    """An immutable map."""

    @classmethod
    def convert(cls, value: Mapping[K, V]) -> HashTrieMap[K, V]:
        """Return the map of another mapping; a map is returned unchanged."""
        return value if isinstance(value, cls) else cls(value)

    def insert(self, key: K, value: V) -> HashTrieMap[K, V]:
        """Return the map with one more entry."""
        return HashTrieMap({**self, key: value})

    def remove(self, key: K) -> HashTrieMap[K, V]:
        """Return the map without an entry. Raises `KeyError` without one."""
        left = dict(self)
        del left[key]
        return HashTrieMap(left)

    def discard(self, key: K) -> HashTrieMap[K, V]:
        """Return the map without an entry, if there is one."""
        return self.remove(key) if key in self else self

    def update(self, *others: Mapping[K, V], **more: V) -> HashTrieMap[K, V]:  # type: ignore[override]
        """Return the map with the entries of others."""
        new = dict(self)
        for other in (*others, more):
            new.update(other)
        return HashTrieMap(new)

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(frozenset(self.items()))


class HashTrieSet(frozenset[K]):
    """An immutable set."""

    def insert(self, value: K) -> HashTrieSet[K]:
        """Return the set with one more value."""
        return HashTrieSet((*self, value))

    def remove(self, value: K) -> HashTrieSet[K]:
        """Return the set without a value. Raises `KeyError` if it is not there."""
        if value not in self:
            raise KeyError(value)
        return self.discard(value)

    def discard(self, value: K) -> HashTrieSet[K]:
        """Return the set without a value, if it is there."""
        return HashTrieSet(each for each in self if each != value)

    def update(self, *others: Iterable[K]) -> HashTrieSet[K]:
        """Return the set with the values of others."""
        return HashTrieSet(self.union(*others))


class List(Generic[V]):
    """An immutable list that grows at the front."""

    __slots__ = ("_values",)

    def __init__(self, values: Iterable[V] = ()) -> None:
        self._values = (*values,)

    def push_front(self, value: V) -> List[V]:
        """Return the list with one more value at its front."""
        return List((value, *self._values))

    def __iter__(self) -> Iterator[V]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, List) and self._values == other._values

    def __hash__(self) -> int:
        return hash(self._values)
