"""The server inside the .vsix: for every CPython that it promises, from nothing but the bundle."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from editors.debian import ROOT, UnavailableError, only_one, unpack
from editors.programs import output
from editors.vscode.conftest import package
from folders import written
from llmblocks.languages.registry import LANGUAGES
from wire import BASIC, Wire

VERSIONS = ("3.11", "3.12", "3.13", "3.14")
UNPACK = Path(__file__).with_name("unpack.mjs")


@pytest.fixture(scope="module")
def bundle(vsix: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The extension's folder as VS Code would unpack it."""
    folder = tmp_path_factory.mktemp("unpacked")
    with zipfile.ZipFile(vsix) as archive:
        archive.extractall(folder)
    return folder / "extension"


def interpreter(version: str) -> str | None:
    """Return a CPython of this version, from PATH, from pyenv, or from the newest Debian."""
    found = [shutil.which(f"python{version}")]
    found += [str(path) for path in Path.home().glob(f".pyenv/versions/{version}.*/bin/python{version}")]
    for path in found:
        # pyenv's shims are there for versions that are not
        if path and subprocess.run([path, "--version"], capture_output=True).returncode == 0:
            return path
    return debians() if version == "3.14" else None


def debians() -> str | None:
    """Return the CPython 3.14 of the newest Debian, fetched once; None where it cannot be."""
    cache = ROOT / ".cache" / "python-3.14"
    program = cache / "python3.14"
    try:
        with only_one(cache):
            if not (cache / "installed").exists():
                usr = unpack(cache, ["python3.14"]) / "usr"
                loader = next(path for folder in ("lib64", "lib") for path in (usr / folder).rglob("ld-linux*.so.*"))
                [libraries] = (usr / "lib").glob("*-linux-gnu*")
                # through the loader that came with it; patched, as others are, it crashes
                start = f"exec '{loader}' --library-path '{libraries}' '{usr}/bin/python3.14' \"$@\""
                written(program, f"#!/bin/sh\n{start}\n").chmod(0o755)
                (cache / "installed").touch()
    except UnavailableError:
        return None
    return str(program)


@pytest.fixture(scope="module")
def storage(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder into which the extension unpacks what is compiled."""
    return tmp_path_factory.mktemp("storage")


def unpacking(python: str, packed: Path, storage: Path) -> list[str]:
    """Return the command with which the extension unpacks what is compiled for a Python."""
    return ["node", str(UNPACK), f"cp{python.replace('.', '')}", str(packed), str(storage)]


def unpacked(version: str, bundle: Path, storage: Path) -> Path:
    """Return the folder with what is compiled for a Python, as the extension makes it."""
    return Path(output(*unpacking(version, bundle / "bundled" / "compiled.br", storage)).strip())


@pytest.mark.parametrize("version", VERSIONS)
def test_compiled_parts_are_there_for_each_python(version: str, bundle: Path, storage: Path) -> None:
    folder = unpacked(version, bundle, storage)
    compiled = {path.parent.name: path.name for path in folder.rglob("*.so")}
    # what else is compiled, pure Python replaces
    assert set(compiled) == COMPILED
    tag = f".cpython-{version.replace('.', '')}-"
    assert all((".abi3." if name in GRAMMARS else tag) in file for name, file in compiled.items())
    assert unpacked(version, bundle, storage) == folder


def test_windows_that_unpack_at_once_have_the_same_and_remove_what_an_older_version_left(
    bundle: Path, tmp_path: Path
) -> None:
    written(tmp_path / "compiled" / "older" / "cp312" / "module.so", "")
    command = unpacking("3.12", bundle / "bundled" / "compiled.br", tmp_path)
    windows = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(6)]
    [folder] = {Path(window.communicate()[0].strip()) for window in windows}
    assert [window.returncode for window in windows] == [0] * 6
    assert [path.name for path in folder.parent.iterdir()] == ["cp312"]
    assert [path.name for path in (tmp_path / "compiled").iterdir()] == [folder.parent.name]
    assert sorted(path.name for path in (folder / "regress").iterdir())[0] == "__init__.py"


def test_what_cannot_be_unpacked_leaves_nothing_behind(tmp_path: Path) -> None:
    packed = written(tmp_path / "compiled.br", "no brotli")
    done = subprocess.run(unpacking("3.12", packed, tmp_path), capture_output=True)
    assert done.returncode != 0
    assert [path for path in tmp_path.rglob("*") if path.name.startswith("cp312")] == []


def test_the_licences_of_what_is_bundled_can_be_read(bundle: Path) -> None:
    common = bundle / "bundled" / "libs" / "common"
    licensed = {path.relative_to(common).parts[0].split("-")[0] for path in common.rglob("*LICENSE*")}
    licensed |= {path.relative_to(common).parts[0].split("-")[0] for path in common.rglob("COPYING")}
    assert licensed >= {"regress", "attrs", "json5", "jsonschema", "pathspec", "llmblocks", "tree_sitter", *GRAMMARS}


GRAMMARS = {"tree_sitter_javascript", "tree_sitter_python", "tree_sitter_typescript"}
COMPILED = {"orjson", "regress", "tree_sitter", *GRAMMARS}
CODE = """
from llmblocks.hosts.hosted import embedded_in
from llmblocks.settings.values import DEFAULTS
for host in ("python", "typescript", "typescriptreact", "javascript", "javascriptreact"):
    sign = "#" if host == "python" else "//"
    [found] = embedded_in(f"{sign} llmblocks: stf\\na = '@user'", host, DEFAULTS)
    assert found.text == "@user"
"""
SCHEMA = """
from llmblocks.gadget import ParameterSchema
schema = {"type": "object", "properties": {"v": {"type": "string", "pattern": r"^\\p{Lu}$"}}}
print([bool(ParameterSchema(schema).check({"v": text}).issues) for text in ("\\u00c4", "\\u00e4")])
"""


@pytest.mark.parametrize("version", VERSIONS)
def test_the_bundled_server_answers_on_each_python_of_this_machine(version: str, bundle: Path, storage: Path) -> None:
    python = interpreter(version)
    if python is None:
        pytest.skip(f"no CPython {version} on this machine")
    code = (
        "import orjson, regress, jsonschema, json5, pathspec; from llmblocks.languages.registry import language_ids;"
        "from llmblocks.settings.check import check_settings;"
        "print(check_settings({'stf': {'dialect': '%'}}, language_ids()).problems[0].message)"
    )
    compiled = unpacked(version, bundle, storage)
    path = [str(bundle / "bundled" / "libs" / "common"), str(compiled)]
    said = output(python, "-I", "-B", "-c", f"import sys; sys.path[:0] = {path}; {code}\n{CODE}{SCHEMA}")
    assert "stf.dialect is '%' — the default is used instead; it must be 'auto', '@' or ';'" in said
    assert said.endswith("[False, True]\n")
    options = ["-I", "-X", "utf8", "-X", f"llmblocks_compiled={compiled}"]
    # as the extension starts it
    with Wire((python, *options, str(bundle / "bundled" / "run_server.py"), "server")) as wire:
        assert wire.result(1, "initialize", BASIC)["serverInfo"]["name"] == "llmblocks"
        assert wire.end() == 0


def test_without_what_is_compiled_patterns_of_schemas_are_not_checked(bundle: Path) -> None:
    code = f"import sys; sys.path[0:0] = [{str(bundle / 'bundled' / 'libs' / 'common')!r}]\n{SCHEMA}"
    # without the packages of this environment, too
    assert output(sys.executable, "-I", "-S", "-B", "-c", code) == "[False, False]\n"


def test_an_older_python_is_reported_so(bundle: Path) -> None:
    old = interpreter("3.10") or interpreter("3.9")
    if old is None:
        pytest.skip("no older CPython on this machine")
    done = subprocess.run([old, str(bundle / "bundled" / "run_server.py"), "server"], capture_output=True, text=True)
    assert done.returncode == 78
    assert "llmblocks is bundled for cp311, cp312, cp313, cp314; this is cp3" in done.stderr


def test_long_lines_are_wrapped_in_every_format() -> None:
    manifest = json.loads((ROOT / "editors" / "vscode" / "package.json").read_text())
    defaults = manifest["contributes"]["configurationDefaults"]
    assert {defaults[f"[{each.id}]"]["editor.wordWrap"] for each in LANGUAGES} == {"on"}


def test_nothing_that_is_not_needed_is_packed(bundle: Path) -> None:
    packed = {path.relative_to(bundle).parts[0] for path in bundle.rglob("*") if path.is_file()}
    folders = {"dist", "syntaxes", "languages", "snippets", "images", "walkthrough", "bundled"}
    assert packed == {"package.json", "readme.md", "changelog.md", "LICENSE.txt"} | folders
    files = [path.relative_to(bundle).as_posix() for path in bundle.rglob("*") if path.is_file()]
    never = r"__pycache__|/tests?/|common/(?!llmblocks/).*\.pyi$|\.dist-info/RECORD|/(rich|shtab|pydantic)"
    assert [path for path in files if re.search(never, path)] == []


PARTS = ("packages.zip", "pyodide.asm.wasm", "python_stdlib.zip")


def test_the_package_of_a_machine_has_nothing_for_browsers_and_theirs_nothing_for_machines(
    bundle: Path, web_build: tuple[Path, str], tmp_path: Path
) -> None:
    def listed(*folders: str) -> list[str]:
        return sorted(path.name for path in extension.joinpath(*folders).iterdir())

    with zipfile.ZipFile(web_build[0]) as archive:
        archive.extractall(tmp_path)
    kinds = (
        (bundle, "main", "extension.js", ".br", "worker.mjs"),
        (tmp_path / "extension", "browser", "browser.js", "", "worker.js"),
    )
    for extension, entry, script, packed, worker in kinds:
        manifest = json.loads((extension / "package.json").read_text())
        assert {name: manifest.get(name) for name in ("main", "browser") if name in manifest} == {
            entry: f"./dist/{script}"
        }
        # the panel of the graph loads its own script
        assert listed("dist") == sorted([script, "graph.js"])
        assert listed("bundled", "webassembly") == sorted([*(f"{part}{packed}" for part in PARTS), worker])
    assert listed("bundled") == ["webassembly"]


def test_the_whole_is_small(vsix: Path, web_build: tuple[Path, str]) -> None:
    # the server in WebAssembly is nearly all of the second, and six tenths of the first: the others are what is
    # compiled for each Python, tree-sitter most of all
    assert vsix.stat().st_size < 10.9e6
    assert web_build[0].stat().st_size < 8.5e6


def test_a_build_tells_each_step_and_how_long_it_took_and_is_not_repeated(web_build: tuple[Path, str]) -> None:
    built, steps = web_build
    when = built.stat().st_mtime
    assert [*dict.fromkeys(re.sub(r" …$|: \d+ s$", "", line) for line in steps.splitlines())] == [
        *("the server in WebAssembly", "the scripts", "packing")
    ]
    assert len(re.findall(r": \d+ s$", steps, re.MULTILINE)) == 3
    assert package("--target", "web", "--if-changed") == (built, "")
    assert built.stat().st_mtime == when
