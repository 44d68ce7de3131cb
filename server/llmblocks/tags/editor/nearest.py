"""The nearest registered name to a misspelt one."""

from __future__ import annotations

from functools import lru_cache

from llmblocks.core.distance import distance


# A page of HTML repeats the same few names thousands of times.
@lru_cache(maxsize=1024)
def nearest(name: str, names: tuple[str, ...]) -> str:
    """The closest of `names` that is not `name` itself; empty where none is close.

    Shape: another case is closest; then one change for names of at least 4 characters, two for at least 6. Shorter ones
           are HTML's: `<b>` is not a misspelt `<t1>`. Two neighbours that changed places are one change. A plural is
           another word: `<tools>` is not a misspelt `<tool>`.
    """
    best, least = "", 3
    folded = name.lower()
    for other in names:
        if other == name or f"{other.lower()}s" == folded or other.lower() == f"{folded}s":
            continue
        allowed = 2 if len(other) >= 6 else 1 if len(other) >= 4 else 0
        changes = distance(folded, other.lower(), min(allowed, least))
        if changes <= allowed and changes < least:
            best, least = other, changes
    return best
