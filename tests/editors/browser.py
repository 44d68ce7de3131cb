"""Chromium for the tests that drive it from Node, and the playground, built and served to this machine."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from editors.debian import ROOT, only_one
from editors.programs import available, output
from editors.vscode.install import CACHE, chromium, node_modules


def chromium_for(folder: Path) -> Path:
    """Return the browser, with the packages that the scripts of a folder use; without them, the test is skipped."""
    available(lambda: node_modules(folder))
    with only_one(CACHE):
        return available(chromium)


def seen_by(script: Path, *arguments: str | Path, given: object = None) -> Any:
    """Return what a script of Node sees in the browser."""
    program = chromium_for(script.parent)
    return json.loads(output("node", script, program, *arguments, stdin=json.dumps(given)))


@contextmanager
def served() -> Iterator[str]:
    """Serve the playground by the program of `make playground-serve`, and yield its address."""
    with only_one(ROOT / ".cache" / "web-server"):
        build = [sys.executable, str(ROOT / "editors" / "playground" / "build.py"), "--serve", "0"]
        server = subprocess.Popen(build, stdout=subprocess.PIPE, text=True)
        assert server.stdout is not None
        address = next((line for line in server.stdout if line.startswith("http://")), "")
    try:
        assert address, "the build failed"
        yield address.split()[0]
    finally:
        server.send_signal(signal.SIGINT)
        server.communicate()
    assert server.returncode == 0
