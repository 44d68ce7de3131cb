"""The playground, built and served to this machine, and Chromium."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from editors.browser import seen_by, served

HERE = Path(__file__).resolve().parent
Json = Any
Drive = Callable[..., Any]


@pytest.fixture(scope="session")
def drive() -> Iterator[Drive]:
    """Runs a script of this folder in Chromium with the address of the playground, and returns its JSON."""
    with served() as address:
        yield lambda script, *arguments, given=None: seen_by(HERE / script, address, *arguments, given=given)
