"""Work in steps: an editor does it while idle, the command line at once."""

from __future__ import annotations

from collections.abc import Generator
from typing import TypeVar

T = TypeVar("T")


def finished(work: Generator[None, None, T]) -> T:
    """Do all the work, and return its result."""
    try:
        while True:
            next(work)
    except StopIteration as end:
        found: T = end.value
        return found
