"""The playground, built and served to this machine, and Chromium."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from editors.browser import seen_by
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
    return lambda script, *arguments, given=None: seen_by(HERE / script, playground, *arguments, given=given)
