"""Get a Neovim that has `vim.lsp.config`: the system's own if it is new enough, else Debian's newest.

Debian's goes to `.cache/neovim`; what is there already is reused.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

from editors.debian import ROOT, UnavailableError, only_one, unpack, use_own_libraries

CACHE = ROOT / ".cache" / "neovim"
OLDEST = (0, 11)


def install() -> Path:
    """Return the program to run, after installing it where it is missing.

    Raises `UnavailableError` if it is missing and cannot be fetched.
    """
    for candidate in (os.environ.get("LLMBLOCKS_NVIM"), shutil.which("nvim")):
        if candidate and version(Path(candidate)) >= OLDEST:
            return Path(candidate)
    program = CACHE / "root" / "usr" / "bin" / "nvim"
    with only_one(CACHE):
        if not (CACHE / "installed").exists():
            use_own_libraries(unpack(CACHE, ["neovim"]), program)
            if version(program) < OLDEST:
                raise UnavailableError("the Neovim that Debian has does not run here, or is too old")
            (CACHE / "installed").touch()
    return program


def version(program: Path) -> tuple[int, ...]:
    """Major and minor version of a Neovim; () where it does not run."""
    try:
        shown = subprocess.run([program, "--version"], capture_output=True, text=True, timeout=120, check=False).stdout
    except (OSError, subprocess.TimeoutExpired):
        return ()
    found = re.match(r"NVIM v(\d+)\.(\d+)", shown)
    return (int(found[1]), int(found[2])) if found else ()
