"""The server for WebAssembly, built once for all tests."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from editors.debian import ROOT, UnavailableError
from wire import Wire

HERE = Path(__file__).resolve().parent


@pytest.fixture(scope="session")
def web_server() -> Path:
    """The folder of the built server."""
    if shutil.which("node") is None:
        pytest.skip(str(UnavailableError("node is not installed")))
    built = [sys.executable, str(ROOT / "editors" / "web" / "server" / "build.py"), "--if-changed"]
    subprocess.run(built, check=True, stdout=subprocess.DEVNULL)
    return ROOT / "dist" / "web-server"


@pytest.fixture(scope="session")
def packed_server(web_server: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the same server for Node, packed as the VS Code extension has it, in a hurry."""
    packed = tmp_path_factory.mktemp("packed")
    shutil.copy(web_server / "worker.mjs", packed)
    files = [shutil.copy(path, packed) for path in web_server.iterdir() if path.suffix in {".wasm", ".zip"}]
    script = ROOT / "editors" / "web" / "server" / "pack.mjs"
    subprocess.run(["node", str(script), "1", *files], check=True)
    assert not any(Path(file).exists() for file in files)
    return packed


@pytest.fixture(scope="module")
def in_node(packed_server: Path) -> Iterator[Wire]:
    """A client of the worker in Node, initialized."""
    with Wire(("node", str(HERE / "stdio.mjs"), str(packed_server))) as wire:
        wire.answers["workspace/configuration"] = [None]
        wire.result("init", "initialize", {"processId": None, "rootUri": None, "capabilities": {}})
        yield wire
