"""What this system can do, asked in one place. Whatever only POSIX has needs another way beside it, for Windows.

With `LLMBLOCKS_PORTABLE=1` in the environment, the other way is taken everywhere: so it is tried on every system.
"""

from __future__ import annotations

import os
import sys
from types import ModuleType
from typing import Final

POSIX: Final = os.name == "posix" and sys.platform != "emscripten" and not os.environ.get("LLMBLOCKS_PORTABLE")
"""Pipes can be polled, processes have groups and limits, and a timer's signal ends them."""
LINUX: Final = POSIX and sys.platform == "linux"
"""/proc, copies of a process that are safe, and pipes whose size can be set."""
WINDOWS: Final = os.name == "nt"
"""Drives, junctions, and files that nobody can replace while they are open."""


def inside(path: str, folder: str, system: ModuleType = os.path) -> str | None:
    """The rest of an absolute path that is in a folder, None for any other path. On Windows, case says nothing."""
    top = folder.rstrip(system.sep) + system.sep
    return path[len(top) :] if system.normcase(path).startswith(system.normcase(top)) else None
