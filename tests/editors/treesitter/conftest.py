"""Tests of the tree-sitter grammars need a C compiler."""

from __future__ import annotations

import pytest

from editors.programs import available
from editors.treesitter.grammars import NAMES, library


@pytest.fixture(scope="session", autouse=True)
def built() -> None:
    """Every grammar, built."""
    available(lambda: [library(name) for name in NAMES])
