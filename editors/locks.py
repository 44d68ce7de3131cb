"""Builds that several processes may ask for at once."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]


@contextmanager
def only_one(path: Path) -> Iterator[None]:
    """Let one process at a time through, where the system can do that."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w") as lock:
        if fcntl is not None:
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield
