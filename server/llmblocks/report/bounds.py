"""Bounds that survive a merge in any order, because only hashes decide; and confidence intervals of rates."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from functools import lru_cache
from hashlib import blake2b
from math import sqrt

from llmblocks.core.visible import visible

LONGEST = 60
_is_plain = re.compile(r"[ !#-\[\]-~]*").fullmatch
"""Whether JSON writes a text unchanged, a byte for each character, as it does nearly all names."""


def digest(parts: Iterable[str]) -> str:
    """Return a 64-bit number as text that sorts like the number."""
    return blake2b("\0".join(parts).encode(), digest_size=8).hexdigest()


# a corpus has few different names
@lru_cache(maxsize=4096)
def short(text: str, most: int = LONGEST) -> str:
    """Return a text of at most `most` bytes in JSON.

    Different texts stay different: a long one gets a part of its digest.
    """
    shown = text if _is_plain(text) else visible(text.encode("utf-8", "replace").decode())
    if size(shown) <= most:
        return shown
    room = (most - 14) // 2
    left, right = shown[:room], shown[-room:]
    while size(left) > room:
        left = left[:-1]
    while size(right) > room:
        right = right[1:]
    return f"{left}…{digest((shown,))[:8]}…{right}"


def size(text: str) -> int:
    """Return the length of a text in JSON in bytes, without its quotes."""
    return len(text) if _is_plain(text) else len(json.dumps(text, ensure_ascii=False).encode()) - 2


_Z = 1.959963984540054
"""For intervals of 95 %."""


def wilson(count: int, total: int) -> tuple[float, float]:
    """Return the interval of 95 % around the rate `count` / `total`, from 0 to 1; all of it if `total` is 0.

    Source: Wilson (1927).
    """
    if not total:
        return 0.0, 1.0
    rate, square = count / total, _Z * _Z
    middle = (rate + square / (2 * total)) / (1 + square / total)
    half = _Z * sqrt(rate * (1 - rate) / total + square / (4 * total * total)) / (1 + square / total)
    return max(0.0, middle - half), min(1.0, middle + half)


def difference(count: int, total: int, count_before: int, total_before: int) -> tuple[float, float]:
    """Return the interval of 95 % around the first rate minus the second, from -1 to 1.

    Source: Newcombe (1998).
    """
    if not (total and total_before):
        return -1.0, 1.0
    now, before = count / total, count_before / total_before
    (low, high), (low_before, high_before) = wilson(count, total), wilson(count_before, total_before)
    below = sqrt((now - low) ** 2 + (high_before - before) ** 2)
    above = sqrt((high - now) ** 2 + (before - low_before) ** 2)
    return now - before - below, now - before + above
