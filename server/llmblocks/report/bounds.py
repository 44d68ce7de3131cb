"""Bounds that a merge in any order keeps: what stays is decided by hashes alone."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from functools import lru_cache
from hashlib import blake2b

from llmblocks.core.visible import visible

LONGEST = 60
_is_plain = re.compile(r"[ !#-\[\]-~]*").fullmatch
"""Whether JSON writes a text as it is, a byte for each character: nearly all names, of which each text has another."""


def digest(parts: Iterable[str]) -> str:
    """A number of 64 bits as text, which orders as the number does."""
    return blake2b("\0".join(parts).encode(), digest_size=8).hexdigest()


# the names of a corpus are few
@lru_cache(maxsize=4096)
def short(text: str, most: int = LONGEST) -> str:
    """A text of at most `most` bytes in JSON. Texts that differ stay different: a long one has a part of its digest."""
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
    """The bytes of a text in JSON, without its quotes."""
    return len(text) if _is_plain(text) else len(json.dumps(text, ensure_ascii=False).encode()) - 2
