"""The trees are those of `test/corpus`."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from editors.debian import UnavailableError
from editors.treesitter.grammars import CACHE, HOME, NAMES
from editors.treesitter.tree_sitter_install import install

every_grammar = pytest.mark.parametrize("name", NAMES)


@pytest.fixture(scope="session")
def program() -> Path:
    try:
        return install()
    except UnavailableError as why:
        pytest.skip(str(why))


@every_grammar
def test_the_trees_are_those_of_the_corpus(name: str, program: Path) -> None:
    # a wanted change: UPDATE_SNAPSHOTS=1 make test-tree-sitter, and read the diff
    update = ["--update"] if os.environ.get("UPDATE_SNAPSHOTS") else []
    environment = os.environ | {"XDG_CACHE_HOME": str(CACHE / "corpus"), "XDG_CONFIG_HOME": str(CACHE / "corpus")}
    done = subprocess.run(
        [program, "test", *update], cwd=HOME / name, env=environment, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stdout + done.stderr
