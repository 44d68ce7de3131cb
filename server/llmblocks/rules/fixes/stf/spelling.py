"""The likely names for a misspelt one."""

from __future__ import annotations

from collections.abc import Iterable

from llmblocks.core.distance import distance


def nearest(name: str, names: Iterable[str]) -> list[str]:
    """Return the similar names, nearest first.

    They differ in case, in one letter if they have at least four, or in two if they have at least six.
    """
    folded = name.lower()
    found = [(distance(folded, other, _most(other)), other) for other in names]
    return [other for apart, other in sorted(found) if apart <= _most(other)]


def _most(name: str) -> int:
    """Return the maximum number of wrong letters in a misspelt name."""
    return 2 if len(name) >= 6 else int(len(name) >= 4)
