"""The likely names for a misspelt one."""

from __future__ import annotations

from collections.abc import Iterable

from llmblocks.core.distance import distance


def nearest(name: str, names: Iterable[str]) -> list[str]:
    """The names that differ in case, by one change if they have at least four letters, or by two if at least six.

    Returns:
        The nearest first.
    """
    folded = name.lower()
    found = [(distance(folded, other, _most(other)), other) for other in names]
    return [other for apart, other in sorted(found) if apart <= _most(other)]


def _most(name: str) -> int:
    """How many letters of a misspelt name may be wrong."""
    return 2 if len(name) >= 6 else int(len(name) >= 4)
