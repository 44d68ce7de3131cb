"""The playground, built and served to this machine, and Chromium."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from editors.browser import chromium_for
from editors.playground.served import served

HERE = Path(__file__).resolve().parent
Drive = Callable[..., Any]


@pytest.fixture(scope="session")
def playground() -> Iterator[str]:
    """The address of the built playground, served to this machine."""
    with served() as address:
        yield address


@pytest.fixture(scope="session")
def drive(playground: str) -> Drive:
    """Runs a script of this folder in Chromium, and returns what it prints as JSON."""
    browser = chromium_for(HERE)

    def run(script: str, *arguments: str, given: Any = None) -> Any:
        command = ["node", str(HERE / script), str(browser), playground, *arguments]
        done = subprocess.run(command, input=json.dumps(given), capture_output=True, text=True, timeout=900)
        assert done.returncode == 0, done.stderr[-2000:]
        return json.loads(done.stdout)

    return run
