"""Python's collector of cyclic garbage, kept away from keystrokes."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

from llmblocks.core.system import LINUX

_LEAST = 50_000
"""The minimum number of frozen objects for a sweep: some five milliseconds."""


class Garbage:
    """Freezes the objects that work has created, so that no collection scans them.

    Collects when the frozen objects have doubled.

    A frozen object in a cycle is never collected. A sweep scans everything, so it is due when the number of objects
    frozen since the last one exceeds the number that survived it: the cost of sweeps is linear in the work, and at most
    half of the objects are garbage.
    """

    def __init__(self) -> None:
        self._frozen = self._kept = 0

    @property
    def is_due(self) -> bool:
        """Whether a sweep is worthwhile."""
        return self._frozen > max(_LEAST, self._kept)

    @contextmanager
    def unwatched(self) -> Iterator[None]:
        """Do work that may create many objects, without repeated collections."""
        gc.disable()
        try:
            yield
        finally:
            # the objects that are not frozen yet
            self._frozen += len(gc.get_objects())
            gc.freeze()
            gc.enable()

    def sweep(self) -> None:
        """Collect all garbage, frozen or not, and return free memory to the system."""
        gc.unfreeze()
        gc.collect()
        _give_back()
        self._kept, self._frozen = len(gc.get_objects()), 0
        gc.freeze()


def _give_back() -> None:
    """Return free memory to the system: glibc keeps the remains of large texts between smaller blocks."""
    if LINUX:
        # loaded here, where its cost is negligible
        from ctypes import CDLL

        trim = getattr(CDLL(None), "malloc_trim", None)
        if trim is not None:
            trim(0)
