"""Get a Helix: the system's own, else Debian's newest, which goes to `.cache/helix` and is reused."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from typing import NamedTuple

from editors.debian import ROOT, UnavailableError, only_one, unpack, use_own_libraries

CACHE = ROOT / ".cache" / "helix"


class Helix(NamedTuple):
    """How to start it."""

    program: Path
    environment: dict[str, str]
    """Its needs beside the usual ones."""


def install() -> Helix:
    """Return the program to run, after installing it where it is missing.

    Raises `UnavailableError` if it is missing and cannot be fetched.
    """
    for candidate in (os.environ.get("LLMBLOCKS_HELIX"), shutil.which("hx"), shutil.which("helix")):
        if candidate and runs(Helix(Path(candidate), {})):
            return Helix(Path(candidate), {})
    # /usr/bin/hx is a link to it
    home = CACHE / "root" / "usr" / "lib" / "hx"
    helix = Helix(home / "hx", {"HELIX_RUNTIME": str(home / "runtime")})
    with only_one(CACHE):
        if not (CACHE / "installed").exists():
            use_own_libraries(unpack(CACHE, ["hx"]), helix.program)
            if not runs(helix):
                raise UnavailableError("the Helix that Debian has does not run here")
            (CACHE / "installed").touch()
    return helix


def runs(helix: Helix) -> bool:
    """Return whether it starts at all."""
    command = [str(helix.program), "--version"]
    try:
        shown = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False).stdout
    except (OSError, subprocess.TimeoutExpired):
        return False
    return shown.startswith("helix ")
