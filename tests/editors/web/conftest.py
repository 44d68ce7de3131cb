"""The server for WebAssembly, built once for all tests."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from editors.debian import ROOT
from editors.programs import output
from wire import BASIC, Wire

HERE = Path(__file__).resolve().parent


@pytest.fixture(scope="session")
def web_server() -> Path:
    """The folder of the built server."""
    if shutil.which("node") is None:
        pytest.skip("node is not installed")
    output(sys.executable, ROOT / "editors" / "web" / "server" / "build.py", "--if-changed")
    return ROOT / "dist" / "web-server"


@pytest.fixture(scope="module")
def in_node(web_server: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Wire]:
    """A client of the same server in Node, packed as the VS Code extension has it, in a hurry, and initialized."""
    packed = tmp_path_factory.mktemp("packed")
    shutil.copy(web_server / "worker.mjs", packed)
    files = [shutil.copy(path, packed) for path in web_server.iterdir() if path.suffix in {".wasm", ".zip"}]
    output("node", ROOT / "editors" / "web" / "server" / "pack.mjs", "1", *files)
    assert not any(Path(file).exists() for file in files)
    with Wire(("node", str(HERE / "stdio.mjs"), str(packed))) as wire:
        wire.answers["workspace/configuration"] = [None]
        wire.result("init", "initialize", BASIC)
        yield wire
