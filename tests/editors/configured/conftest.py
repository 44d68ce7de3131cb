"""Kakoune, and bat, which reads the syntaxes of Sublime Text; installed where they are missing."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from editors.debian import ROOT, UnavailableError, only_one, unpack, use_own_libraries


def installed(package: str, program: str) -> Path:
    """Return the folder of a package of Debian's newest, whose program runs. Raises `UnavailableError`."""
    cache = ROOT / ".cache" / package
    root = cache / "root"
    with only_one(cache):
        if not (cache / "installed").exists():
            use_own_libraries(unpack(cache, [package]), root / program)
            done = subprocess.run([root / program, "--version"], capture_output=True, timeout=120, check=False)
            version = subprocess.run([root / program, "-version"], capture_output=True, timeout=120, check=False)
            if done.returncode and version.returncode:
                raise UnavailableError(f"the {package} that Debian has does not run here")
            (cache / "installed").touch()
    return root


@pytest.fixture(scope="session")
def kakoune() -> Path:
    """The folder that Kakoune was unpacked into."""
    try:
        return installed("kakoune", "usr/bin/kak")
    except UnavailableError as why:
        pytest.skip(str(why))


@pytest.fixture(scope="session")
def bat() -> Path:
    """The program of bat."""
    try:
        return installed("bat", "usr/bin/batcat") / "usr/bin/batcat"
    except UnavailableError as why:
        pytest.skip(str(why))
