"""Tests of the tree-sitter grammars need a C compiler."""

from __future__ import annotations

import pytest

from editors.debian import UnavailableError
from editors.treesitter.grammars import NAMES, library


@pytest.fixture(scope="session", autouse=True)
def built() -> None:
    """Every grammar, built."""
    try:
        for name in NAMES:
            library(name)
    except UnavailableError as why:
        pytest.skip(str(why))
