"""Python's collector of cyclic garbage, kept away from keystrokes: servers disable it, and collect in pauses."""

from __future__ import annotations

import gc

from llmblocks.core.system import LINUX

_LEAST = 50_000
"""The minimum number of new objects for a collection: some five milliseconds."""


def is_due() -> bool:
    return gc.get_count()[0] > _LEAST


def sweep() -> None:
    """Collect garbage, and return memory to the system: glibc keeps the remains of large texts."""
    gc.collect()
    if LINUX:
        # loaded here, where its cost is negligible
        from ctypes import CDLL

        trim = getattr(CDLL(None), "malloc_trim", None)
        if trim is not None:
            trim(0)
