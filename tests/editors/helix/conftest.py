"""Helix, set up as docs/editors/helix.md says."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from editors.programs import Program

ROOT = Path(__file__).resolve().parents[3]
PAGE = (ROOT / "docs" / "editors" / "helix.md").read_text(encoding="utf-8")


@pytest.fixture(scope="session")
def configuration(helix: Program, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of Helix after the page's commands, in the home of a new user."""
    home = tmp_path_factory.mktemp("home")
    programs = tmp_path_factory.mktemp("programs")
    (programs / "hx").symlink_to(helix.path)
    [commands] = re.findall(r"```console\n(.*?)```", PAGE, re.DOTALL)
    script = "set -e\n" + re.sub(r"^\$ ", "", commands, flags=re.MULTILINE)
    environment = os.environ | helix.environment | {"HOME": str(home), "PATH": f"{programs}:{os.environ['PATH']}"}
    environment = {name: value for name, value in environment.items() if not name.startswith("XDG_")}
    done = subprocess.run(
        ["bash", "-c", script], cwd=ROOT, env=environment, capture_output=True, text=True, timeout=120
    )
    if shutil.which("cc"):
        assert done.returncode == 0, done.stdout + done.stderr
    return home / ".config" / "helix"
