"""Shared parts of the builds: a lock, because several processes may need one at once, and pip."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import NamedTemporaryFile

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


def pins(folder: Path) -> Path:
    """Write the group `dev` of pyproject.toml into a folder, as the constraints that pip reads."""
    groups = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text("utf-8"))["dependency-groups"]
    folder.mkdir(parents=True, exist_ok=True)
    # whole at once: several threads and builds ask for it
    with NamedTemporaryFile("w", dir=folder, delete=False) as made:
        made.write("\n".join(groups["dev"]))
    return Path(made.name).replace(folder / "pins.txt")


def pip(*arguments: str) -> None:
    """Run pip of this environment, quietly."""
    command = [sys.executable, "-m", "pip", *arguments, "--quiet", "--disable-pip-version-check"]
    subprocess.run(command, check=True, env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"})
