"""Neovim, installed where it is missing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from editors.debian import UnavailableError
from editors.neovim.asking import STARTED
from editors.neovim.neovim_install import install


@pytest.fixture(scope="session")
def neovim() -> Path:
    try:
        return install()
    except UnavailableError as why:
        pytest.skip(str(why))


@pytest.fixture(scope="session", autouse=True)
def every_server_ends_with_its_editor() -> Iterator[None]:
    """Processes of a Neovim end with it. One wait for all: each takes a second or two."""
    yield
    _, alive = psutil.wait_procs(STARTED, timeout=120)
    for process in alive:
        process.kill()
    assert not alive
