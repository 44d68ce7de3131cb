"""Get a tree-sitter command line: the system's own if it is new enough, else Debian's newest.

Debian's goes to `.cache/tree-sitter`; what is there already is reused. The packages on npm and PyPI have no program in
them: they download it.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

from editors.debian import ROOT, UnavailableError, only_one, unpack, use_own_libraries

CACHE = ROOT / ".cache" / "tree-sitter"
OLDEST = (0, 26)


def install() -> Path:
    """Return the program to run, after installing it where it is missing.

    Raises `UnavailableError` if it is missing and cannot be fetched.
    """
    for candidate in (os.environ.get("LLMBLOCKS_TREE_SITTER"), shutil.which("tree-sitter")):
        if candidate and version(Path(candidate)) >= OLDEST:
            return Path(candidate)
    program = CACHE / "root" / "usr" / "bin" / "tree-sitter"
    with only_one(CACHE / "cli"):
        if not (CACHE / "cli" / "installed").exists():
            use_own_libraries(unpack(CACHE, ["tree-sitter-cli"]), program)
            if version(program) < OLDEST:
                raise UnavailableError("the tree-sitter that Debian has does not run here, or is too old")
            (CACHE / "cli" / "installed").touch()
    return program


def version(program: Path) -> tuple[int, ...]:
    """Return the version of a tree-sitter; () where it does not run."""
    try:
        shown = subprocess.run([program, "--version"], capture_output=True, text=True, timeout=120, check=False).stdout
    except (OSError, subprocess.TimeoutExpired):
        return ()
    found = re.match(r"tree-sitter (\d+)\.(\d+)\.(\d+)", shown)
    return tuple(map(int, found.groups())) if found else ()
