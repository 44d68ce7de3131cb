"""Chromium for the tests that drive it from Node."""

from __future__ import annotations

from pathlib import Path

import pytest

from editors.debian import UnavailableError, only_one
from editors.vscode.install import CACHE, chromium, node_modules


def chromium_for(folder: Path) -> Path:
    """Return the browser, with the packages that the scripts of a folder use; without them, the test is skipped."""
    try:
        with only_one(CACHE):
            browser = chromium()
        node_modules(folder)
    except UnavailableError as problem:
        pytest.skip(str(problem))
    return browser
