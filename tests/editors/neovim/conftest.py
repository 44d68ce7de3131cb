"""No process outlives its Neovim."""

from __future__ import annotations

from collections.abc import Iterator

import psutil
import pytest

from editors.neovim.asking import STARTED


@pytest.fixture(scope="session", autouse=True)
def every_server_ends_with_its_editor() -> Iterator[None]:
    """Processes of a Neovim end with it. One wait for all: each takes a second or two."""
    yield
    _, alive = psutil.wait_procs(STARTED, timeout=120)
    for process in alive:
        process.kill()
    assert not alive
