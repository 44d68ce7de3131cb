"""The capabilities of this system. Code for POSIX alone needs a fallback; with `LLMBLOCKS_PORTABLE=1`, all use it."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from types import ModuleType
from typing import Final

POSIX: Final = os.name == "posix" and sys.platform != "emscripten" and not os.environ.get("LLMBLOCKS_PORTABLE")
"""Pipes can be polled, processes have groups and limits, and a timer's signal ends them."""
LINUX: Final = POSIX and sys.platform == "linux"
"""/proc, copies of a process that are safe, and pipes whose size can be set."""
WINDOWS: Final = os.name == "nt"
"""Drives, and open files that cannot be replaced."""


def inside(path: str, folder: str, system: ModuleType = os.path) -> str | None:
    """Return the part of an absolute path below a folder; None for any other path. Windows ignores case."""
    top = folder.rstrip(system.sep) + system.sep
    return path[len(top) :] if system.normcase(path).startswith(system.normcase(top)) else None


def parents(path: str) -> Iterator[str]:
    """Yield the folders around a path, the nearest first."""
    while (above := os.path.dirname(path)) != path:
        yield above
        path = above
