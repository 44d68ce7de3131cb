"""Chromium for the tests that drive it from Node."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

from editors.debian import only_one
from editors.programs import available
from editors.vscode.install import CACHE, chromium, node_modules


def chromium_for(folder: Path) -> Path:
    """Return the browser, with the packages that the scripts of a folder use; without them, the test is skipped."""
    available(lambda: node_modules(folder))
    with only_one(CACHE):
        return available(chromium)


def seen_by(script: Path, *arguments: object, given: object = None) -> Any:
    """Return what a script of Node sees in the browser."""
    command = ["node", str(script), str(chromium_for(script.parent)), *map(str, arguments)]
    done = subprocess.run(command, input=json.dumps(given), capture_output=True, text=True, timeout=900)
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout)
