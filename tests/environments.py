"""Environments of Python with other packages than the tests have, cached in .cache."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
import venv
from collections.abc import Sequence
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
CACHE = ROOT / ".cache"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]


def environment(name: str, packages: Sequence[str]) -> str:
    """Return an environment with these packages, made again where they have changed; gives its interpreter."""
    home = CACHE / name
    python = str(home / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python"))
    stamp = home / "installed.txt"
    wanted = "\n".join((sys.version, *packages))
    if stamp.exists() and stamp.read_text(encoding="utf-8") == wanted:
        return python
    venv.create(home, clear=True)
    uv = [sys.executable, "-m", "uv", "pip", "install", "--cache-dir", str(CACHE / "uv"), "--python", python]
    if subprocess.run([*uv, *packages], capture_output=True, check=False).returncode:
        # pip knows settings that uv does not read; our own, as to install pip there takes longer than most packages
        pip = [sys.executable, "-m", "pip", "--python", python, "install"]
        options = ["--quiet", "--disable-pip-version-check", "--no-compile"]
        done = subprocess.run([*pip, *options, *packages], capture_output=True, text=True, check=False)
        if "from versions: none" in done.stderr:
            pytest.skip("no package index can be reached")
        assert done.returncode == 0, done.stderr[-3000:]
    stamp.write_text(wanted, encoding="utf-8")
    return python


def run_with(name: str, packages: Sequence[str], file: str, *options: str) -> int:
    """Run the tests of a file in an environment with our dependencies and these packages; return the exit status."""
    python = environment(name, [*PROJECT["dependencies"], *packages, "pytest"])
    this = [python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--noconftest", file, *options]
    paths = {**os.environ, "PYTHONPATH": str(ROOT / "server")}
    return subprocess.run(this, cwd=ROOT, env=paths, check=False).returncode
