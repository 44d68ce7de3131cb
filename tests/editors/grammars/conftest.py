"""The npm packages of the grammar tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from editors.debian import UnavailableError
from editors.vscode.install import node_modules


@pytest.fixture(scope="session")
def modules() -> Path:
    """`node_modules`, installed once and reused."""
    try:
        return node_modules(Path(__file__).resolve().parent)
    except UnavailableError as problem:
        pytest.skip(str(problem))
