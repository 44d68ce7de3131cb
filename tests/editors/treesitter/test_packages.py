"""The packages of the grammars for Python, installed and used as docs/editors/tree-sitter.md says."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from editors.debian import ROOT
from editors.treesitter.grammars import HOME, NAMES

PAGE = (ROOT / "docs" / "editors" / "tree-sitter.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The three packages. They are built from copies, as building leaves files beside the sources."""
    folder = tmp_path_factory.mktemp("packages")
    for name in NAMES:
        shutil.copytree(HOME / name, folder / name)
    target = folder / "installed"
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--disable-pip-version-check"]
    sources = [str(folder / name) for name in NAMES]
    done = subprocess.run([*pip, "--target", str(target), *sources], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return target


def run(installed: Path, code: str) -> None:
    environment = os.environ | {"PYTHONPATH": str(installed)}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr


def test_the_page_shows_code_that_runs(installed: Path) -> None:
    (code,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    run(installed, code)


@pytest.mark.parametrize("name", NAMES)
def test_a_package_has_its_grammar_and_its_queries(installed: Path, name: str) -> None:
    module = f"tree_sitter_{name.replace('-', '_')}"
    run(
        installed,
        f"import tree_sitter, {module} as it\n"
        "language = tree_sitter.Language(it.language())\n"
        "for query in (it.HIGHLIGHTS_QUERY, it.INJECTIONS_QUERY, it.TAGS_QUERY):\n"
        "    tree_sitter.Query(language, query)\n",
    )
