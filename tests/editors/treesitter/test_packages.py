"""The packages of the grammars, for Python as docs/editors/tree-sitter.md says, and for Node; and their corpus."""

from __future__ import annotations

import json
import os
import shutil
import sys
from pathlib import Path

import pytest

from editors.debian import ROOT
from editors.homes import programs_of
from editors.programs import TREE_SITTER, available, find, output
from editors.treesitter.grammars import CACHE, HOME, NAMES

MODULES = ROOT / "tests" / "peers" / "node_modules"


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """An environment with the packages. They are built from copies, as building leaves files beside the sources."""
    folder = tmp_path_factory.mktemp("packages")
    sources = [shutil.copytree(HOME / name, folder / name) for name in NAMES]
    pip = (sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--disable-pip-version-check")
    output(*pip, "--target", folder / "installed", *sources)
    return os.environ | {"PYTHONPATH": str(folder / "installed")}


def test_the_page_shows_code_that_runs(installed: dict[str, str]) -> None:
    (code,) = programs_of("docs/editors/tree-sitter.md", "python")
    output(sys.executable, "-c", code, env=installed)


QUERIES = """
language = tree_sitter.Language(it.language())
for query in (it.HIGHLIGHTS_QUERY, it.INJECTIONS_QUERY, it.TAGS_QUERY):
    tree_sitter.Query(language, query)
"""


@pytest.mark.parametrize("name", NAMES)
def test_a_package_has_its_grammar_and_its_queries(installed: dict[str, str], name: str) -> None:
    module = f"tree_sitter_{name.replace('-', '_')}"
    output(sys.executable, "-c", f"import tree_sitter, {module} as it\n{QUERIES}", env=installed)


NODE = """
import it from './bindings/node/index.js'
const { language, nodeTypeInfo, HIGHLIGHTS_QUERY, INJECTIONS_QUERY, TAGS_QUERY } = it
const named = nodeTypeInfo.filter((each) => each.named).map((each) => each.type)
const queries = [HIGHLIGHTS_QUERY, INJECTIONS_QUERY, TAGS_QUERY]
console.log(JSON.stringify([typeof language, named, queries]))
"""


@pytest.mark.parametrize("name", NAMES)
def test_a_package_for_node_has_its_grammar_and_its_queries(name: str, tmp_path: Path) -> None:
    """It is compiled by hand: its own installer takes the headers of Node from a web site."""
    package = shutil.copytree(HOME / name, tmp_path / name)
    (tmp_path / "node_modules").symlink_to(MODULES)
    platform = output("node", "-p", "`${process.platform}-${process.arch}`").strip()
    binding = package / "prebuilds" / platform / f"tree-sitter-{name}.node"
    binding.parent.mkdir(parents=True)
    quick = ("-O0", "-fPIC")
    sources = ("src/parser.c", "src/scanner.c")
    output("cc", *quick, "-std=c11", "-Isrc", "-c", *sources, cwd=package)
    headers = (f"-I{MODULES / 'node-addon-api'}", f"-I{MODULES / 'node-api-headers' / 'include'}")
    flags = (*quick, "-shared", "-std=c++17", "-DNAPI_CPP_EXCEPTIONS", *headers)
    output("c++", *flags, "bindings/node/binding.cc", "parser.o", "scanner.o", "-o", binding, cwd=package)
    language, named, queries = json.loads(output("node", "--input-type=module", "-e", NODE, cwd=package))
    assert language == "object"
    assert "document" in named
    read = [(package / "queries" / f"{each}.scm").read_text("utf-8") for each in ("highlights", "injections", "tags")]
    assert queries == read


@pytest.mark.parametrize("name", NAMES)
def test_the_trees_are_those_of_the_corpus(name: str) -> None:
    program = available(lambda: find(TREE_SITTER)).path
    # a wanted change: UPDATE_SNAPSHOTS=1 make test-tree-sitter, and read the diff
    update = ["--update"] if os.environ.get("UPDATE_SNAPSHOTS") else []
    homes = dict.fromkeys(("XDG_CACHE_HOME", "XDG_CONFIG_HOME"), str(CACHE / "corpus"))
    output(program, "test", *update, cwd=HOME / name, env=os.environ | homes)
