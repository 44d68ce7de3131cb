"""The package for npm, built, packed, and installed in an empty folder."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from editors.debian import ROOT
from editors.programs import output

HERE = Path(__file__).resolve().parent
# what is tested is the package, and not the Python of this machine
IN_WEBASSEMBLY = {**os.environ, "LLMBLOCKS_PYTHON": "", "npm_config_update_notifier": "false"}


def run(folder: Path, *command: str, **given: str) -> subprocess.CompletedProcess[str]:
    """Return a program in a folder, with no Python but that of the package."""
    return subprocess.run(
        command, cwd=folder, env=IN_WEBASSEMBLY | given, capture_output=True, encoding="utf-8", check=False
    )


@pytest.fixture(scope="session")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder in which the packed package is installed."""
    if shutil.which("npm") is None:
        pytest.skip("npm is not installed")
    output(sys.executable, ROOT / "editors" / "npm" / "build.py", "--if-changed", cwd=ROOT)
    folder = tmp_path_factory.mktemp("empty")
    quiet: Any = {"cwd": folder, "env": IN_WEBASSEMBLY}
    packed = output("npm", "pack", "--silent", "--ignore-scripts", ROOT / "dist" / "npm", **quiet).strip()
    # without a registry: it depends on nothing
    output("npm", "install", "--offline", "--no-audit", "--no-fund", f"./{packed}", **quiet)
    assert "scripts" not in (folder / "node_modules" / "llmblocks" / "package.json").read_text(encoding="utf-8")
    return folder
