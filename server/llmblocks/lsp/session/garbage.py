"""Python's collector of cyclic garbage, kept away from keystrokes."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

from llmblocks.core.system import LINUX

_LEAST = 50_000
"""The number of objects that are frozen before a sweep is worth its time: some five milliseconds."""


class Garbage:
    """Freezes what work has created, so that no collection looks at it, and sweeps once as much again was frozen.

    A frozen object in a cycle is never collected. A sweep looks at everything, so it is due when the number of objects
    frozen since the last one exceeds the number that this one kept: the cost of sweeps is linear in the work, and at
    most half of the objects are garbage.
    """

    def __init__(self) -> None:
        self._frozen = self._kept = 0

    @property
    def is_due(self) -> bool:
        """Whether a sweep is worth its time."""
        return self._frozen > max(_LEAST, self._kept)

    @contextmanager
    def unwatched(self) -> Iterator[None]:
        """Do work that may create many objects, without a look at them again and again."""
        gc.disable()
        try:
            yield
        finally:
            # the objects that are not frozen yet
            self._frozen += len(gc.get_objects())
            gc.freeze()
            gc.enable()

    def sweep(self) -> None:
        """Collect all garbage, frozen or not, and give the system the memory that is free."""
        gc.unfreeze()
        gc.collect()
        _give_back()
        self._kept, self._frozen = len(gc.get_objects()), 0
        gc.freeze()


def _give_back() -> None:
    """Give the system the memory that is free: glibc keeps what large texts have left between smaller blocks."""
    if LINUX:
        # loaded where it costs nothing beside the sweep
        from ctypes import CDLL

        trim = getattr(CDLL(None), "malloc_trim", None)
        if trim is not None:
            trim(0)
