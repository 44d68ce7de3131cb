"""Neovim, installed where it is missing."""

from __future__ import annotations

from pathlib import Path

import pytest

from editors.debian import UnavailableError
from editors.neovim.neovim_install import install


@pytest.fixture(scope="session")
def neovim() -> Path:
    try:
        return install()
    except UnavailableError as why:
        pytest.skip(str(why))
