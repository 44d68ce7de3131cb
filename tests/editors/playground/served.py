"""The playground, built and served to this machine as `make playground-serve` does it."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from editors.debian import ROOT, only_one


@contextmanager
def served() -> Iterator[str]:
    """Its address, as long as it is used."""
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
