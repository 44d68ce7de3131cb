"""The packages of the grammars, for Python as docs/editors/tree-sitter.md says, and for Node; and their corpus."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from editors.debian import ROOT
from editors.programs import TREE_SITTER, available, find
from editors.treesitter.grammars import CACHE, HOME, NAMES

MODULES = ROOT / "tests" / "peers" / "node_modules"
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


@pytest.mark.parametrize("name", NAMES)
def test_a_package_for_node_has_its_grammar_and_its_queries(name: str, tmp_path: Path) -> None:
    """It is compiled by hand: its own installer takes the headers of Node from a web site."""
    package = tmp_path / name
    shutil.copytree(HOME / name, package)
    (tmp_path / "node_modules").symlink_to(MODULES)
    binding = (
        package
        / "prebuilds"
        / subprocess.check_output(["node", "-p", "`${process.platform}-${process.arch}`"], text=True).strip()
        / f"tree-sitter-{name}.node"
    )
    binding.parent.mkdir(parents=True)
    objects = []
    for source in ("parser", "scanner"):
        objects.append(f"{source}.o")
        compiled("cc", "-std=c11", "-Isrc", "-c", f"src/{source}.c", "-o", objects[-1], package=package)
    headers = [f"-I{MODULES / 'node-addon-api'}", f"-I{MODULES / 'node-api-headers' / 'include'}"]
    flags = ["-shared", "-std=c++17", "-DNAPI_CPP_EXCEPTIONS", *headers]
    compiled("c++", *flags, "bindings/node/binding.cc", *objects, "-o", str(binding), package=package)
    code = (
        "import it from './bindings/node/index.js'\n"
        "const { language, nodeTypeInfo, HIGHLIGHTS_QUERY, INJECTIONS_QUERY, TAGS_QUERY } = it\n"
        "const named = nodeTypeInfo.filter((each) => each.named).map((each) => each.type)\n"
        "const queries = [HIGHLIGHTS_QUERY, INJECTIONS_QUERY, TAGS_QUERY]\n"
        "console.log(JSON.stringify([typeof language, named, queries]))\n"
    )
    done = subprocess.run(
        ["node", "--input-type=module", "-e", code], cwd=package, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stderr
    language, named, queries = json.loads(done.stdout)
    assert language == "object"
    assert "document" in named
    read = [(package / "queries" / f"{each}.scm").read_text("utf-8") for each in ("highlights", "injections", "tags")]
    assert queries == read


def compiled(*command: str, package: Path) -> None:
    done = subprocess.run([*command[:1], "-O0", "-fPIC", *command[1:]], cwd=package, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("name", NAMES)
def test_the_trees_are_those_of_the_corpus(name: str) -> None:
    program = available(lambda: find(TREE_SITTER)).path
    # a wanted change: UPDATE_SNAPSHOTS=1 make test-tree-sitter, and read the diff
    update = ["--update"] if os.environ.get("UPDATE_SNAPSHOTS") else []
    environment = os.environ | {"XDG_CACHE_HOME": str(CACHE / "corpus"), "XDG_CONFIG_HOME": str(CACHE / "corpus")}
    done = subprocess.run(
        [program, "test", *update], cwd=HOME / name, env=environment, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stdout + done.stderr
