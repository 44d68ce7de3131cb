"""Environments of Python with other packages than the tests have, cached in .cache, and processes of peers."""

from __future__ import annotations

import atexit
import json
import os
import subprocess
import sys
import tomllib
import venv
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
CACHE = ROOT / ".cache"
PEERS = ROOT / "tests" / "peers"
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
PROJECT = PYPROJECT["project"]
GROUPS: dict[str, list[str]] = PYPROJECT["dependency-groups"]
"""The dependency groups of the project."""


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


class Peer:
    """A process in `tests/peers` that answers lines of JSON. It ends with the tests. `errors` is its standard error."""

    def __init__(self, *command: str, errors: int | None = subprocess.DEVNULL) -> None:
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(command, cwd=PEERS, stdin=pipe, stdout=pipe, stderr=errors, encoding="utf-8")
        atexit.register(self._process.communicate)

    def ask(self, **given: object) -> Any:
        """Return the answer to a line."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(given) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            pytest.fail(f"{self._process.args!r} has ended with {self._process.wait()} at {str(given)[:1000]}")
        return json.loads(line)
