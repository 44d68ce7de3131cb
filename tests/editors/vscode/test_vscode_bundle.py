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

VERSIONS = ("3.11", "3.12", "3.13", "3.14")


@pytest.fixture(scope="module")
def bundle(vsix: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The extension's folder as VS Code would unpack it."""
    folder = tmp_path_factory.mktemp("unpacked")
    with zipfile.ZipFile(vsix) as archive:
        archive.extractall(folder)
    return folder / "extension"


def interpreter(version: str) -> str | None:
    """A CPython of this version, from PATH, from pyenv, or from the newest Debian."""
    found = [shutil.which(f"python{version}")]
    found += [str(path) for path in Path.home().glob(f".pyenv/versions/{version}.*/bin/python{version}")]
    for path in found:
        # pyenv's shims are there for versions that are not
        if path and subprocess.run([path, "--version"], capture_output=True).returncode == 0:
            return path
    return debians() if version == "3.14" else None


def debians() -> str | None:
    """The CPython 3.14 of the newest Debian, fetched once; None where it cannot be."""
    cache = ROOT / ".cache" / "python-3.14"
    program = cache / "python3.14"
    try:
        with only_one(cache):
            if not (cache / "installed").exists():
                start_with_own_libraries(unpack(cache, ["python3.14"]), program)
                (cache / "installed").touch()
    except UnavailableError:
        return None
    return str(program)


def start_with_own_libraries(root: Path, program: Path) -> None:
    """Write a program that runs Python through the loader that came with it; patched, as others are, it crashes."""
    loader = next(path for folder in ("lib64", "lib") for path in (root / "usr" / folder).rglob("ld-linux*.so.*"))
    [libraries] = (root / "usr" / "lib").glob("*-linux-gnu*")
    python = root / "usr" / "bin" / "python3.14"
    program.write_text(f"#!/bin/sh\nexec '{loader}' --library-path '{libraries}' '{python}' \"$@\"\n")
    program.chmod(0o755)


@pytest.mark.parametrize("version", VERSIONS)
def test_compiled_parts_are_there_for_each_python(version: str, bundle: Path) -> None:
    abi = "cp" + version.replace(".", "")
    folder = bundle / "bundled" / "libs" / abi
    compiled = {path.parent.name: path.name for path in folder.rglob("*.so")}
    # what else is compiled, pure Python replaces
    assert set(compiled) == {"regress"}
    assert all(f"cpython-{abi[2:]}-" in name for name in compiled.values())
    wheels = json.loads((bundle / "bundled" / "libs" / "wheels.json").read_text())[abi]
    assert all(f"-{abi}-{abi}-" in wheel for wheel in wheels)


@pytest.mark.parametrize("version", VERSIONS)
def test_the_bundled_server_answers_on_each_python_of_this_machine(version: str, bundle: Path) -> None:
    python = interpreter(version)
    if python is None:
        pytest.skip(f"no CPython {version} on this machine")
    code = (
        "import regress, jsonschema, json5, pathspec; from llmblocks.rules.names import KNOWN;"
        "from llmblocks.settings.check import check_settings;"
        "print(check_settings({'stf': {'dialect': '%'}}, KNOWN).problems[0].message)"
    )
    libs = bundle / "bundled" / "libs"
    path = [str(libs / "common"), str(libs / f"cp{version.replace('.', '')}")]
    done = subprocess.run(
        [python, "-I", "-B", "-c", f"import sys; sys.path[:0] = {path}; {code}"], capture_output=True, text=True
    )
    assert "stf.dialect is '%' — it must be 'auto', '@' or ';'" in done.stdout, done.stderr
    answer = converse(python, bundle)
    assert answer["serverInfo"]["name"] == "llmblocks"


def converse(python: str, bundle: Path) -> dict[str, dict[str, str]]:
    """Start the server as the extension does, initialize it, shut it down; its answer to the first."""
    about: dict[str, object] = {"processId": None, "rootUri": None, "capabilities": {}}
    messages = (
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": about},
        {"jsonrpc": "2.0", "method": "initialized", "params": {}},
        {"jsonrpc": "2.0", "id": 2, "method": "shutdown"},
        {"jsonrpc": "2.0", "method": "exit"},
    )
    bodies = [json.dumps(message).encode() for message in messages]
    sent = b"".join(b"Content-Length: %d\r\n\r\n%s" % (len(body), body) for body in bodies)
    command = [python, "-I", "-X", "utf8", str(bundle / "bundled" / "run_server.py"), "server"]
    done = subprocess.run(command, input=sent, capture_output=True, timeout=120)
    assert done.returncode == 0, done.stderr.decode()
    for body in re.split(rb"Content-Length: \d+\r\n(?:[^\r\n]+\r\n)*\r\n", done.stdout):
        if body and json.loads(body).get("id") == 1:
            result: dict[str, dict[str, str]] = json.loads(body)["result"]
            return result
    raise AssertionError(done.stdout.decode() + done.stderr.decode())


def test_an_older_python_is_told_so(bundle: Path) -> None:
    old = interpreter("3.10") or interpreter("3.9")
    if old is None:
        pytest.skip("no older CPython on this machine")
    done = subprocess.run([old, str(bundle / "bundled" / "run_server.py"), "server"], capture_output=True, text=True)
    assert done.returncode == 78
    assert "llmblocks is bundled for cp311, cp312, cp313, cp314; this is cp3" in done.stderr


def test_the_manifest_has_every_grammar_and_every_setting_of_the_server() -> None:
    script = ROOT / "editors" / "vscode" / "scripts" / "manifest.py"
    done = subprocess.run([sys.executable, str(script), "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_nothing_that_is_not_needed_is_packed(bundle: Path) -> None:
    packed = {path.relative_to(bundle).parts[0] for path in bundle.rglob("*") if path.is_file()}
    folders = {"dist", "syntaxes", "languages", "snippets", "images", "walkthrough", "bundled"}
    assert packed == {"package.json", "readme.md", "changelog.md", "LICENSE.txt"} | folders
    files = [path.relative_to(bundle).as_posix() for path in bundle.rglob("*") if path.is_file()]
    never = r"__pycache__|/tests?/|\.pyi$|\.dist-info/RECORD|/(pygls|lsprotocol|rich|pydantic_core/_p)"
    assert [path for path in files if re.search(never, path)] == []


PARTS = ("packages.zip", "pyodide.asm.wasm", "python_stdlib.zip")


def test_the_package_of_a_machine_has_nothing_for_browsers(bundle: Path) -> None:
    manifest = json.loads((bundle / "package.json").read_text())
    assert manifest["main"] == "./dist/extension.js"
    assert "browser" not in manifest
    assert [path.name for path in (bundle / "dist").iterdir()] == ["extension.js"]
    server = sorted(path.name for path in (bundle / "bundled" / "webassembly").iterdir())
    assert server == sorted([*(f"{part}.br" for part in PARTS), "worker.mjs"])


def test_the_package_of_browsers_has_nothing_for_machines(web_vsix: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(web_vsix) as archive:
        archive.extractall(tmp_path)
    bundle = tmp_path / "extension"
    manifest = json.loads((bundle / "package.json").read_text())
    assert manifest["browser"] == "./dist/browser.js"
    assert "main" not in manifest
    assert [path.name for path in (bundle / "dist").iterdir()] == ["browser.js"]
    assert [path.name for path in (bundle / "bundled").iterdir()] == ["webassembly"]
    server = sorted(path.name for path in (bundle / "bundled" / "webassembly").iterdir())
    assert server == sorted([*PARTS, "worker.js"])


def test_the_whole_is_small(vsix: Path, web_vsix: Path) -> None:
    # half of the first is the server in WebAssembly, and nearly all of the second
    assert vsix.stat().st_size < 10e6
    assert web_vsix.stat().st_size < 8.5e6
