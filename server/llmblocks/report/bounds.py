"""Bounds that survive a merge in any order, because only hashes decide."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from functools import lru_cache
from hashlib import blake2b

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
