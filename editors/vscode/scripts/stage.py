"""The files of a package, in a folder for `vsce`: those of a machine, or those of a browser."""

from __future__ import annotations

import json
import shutil
import subprocess
import zipfile
from pathlib import Path
from typing import Final

EXTENSION: Final = Path(__file__).resolve().parents[1]
ROOT: Final = EXTENSION.parents[1]
SERVER: Final = ROOT / "dist" / "web-server"
# VS Code's name of the package for browsers, which has no server for Python
WEB: Final = "web"
EVERYWHERE: Final = (
    *("README.md", "CHANGELOG.md"),
    *("syntaxes", "languages", "snippets", "images", "walkthrough"),
)
ON_MACHINES: Final = ("dist/extension.js", "dist/graph.js", "bundled/run_server.py", "bundled/libs/common")
IN_BROWSERS: Final = ("dist/browser.js", "dist/graph.js")


def stage(target: str, quality: int) -> Path:
    """Copy the files of a package into its own folder. `quality` is that of brotli, up to 11."""
    folder = ROOT / "dist" / f".{target}"
    shutil.rmtree(folder, ignore_errors=True)
    for name in (*EVERYWHERE, *(IN_BROWSERS if target == WEB else ON_MACHINES)):
        _copy(EXTENSION / name, folder / name)
    _copy(ROOT / "LICENSE", folder / "LICENSE")
    manifest = json.loads((EXTENSION / "package.json").read_text("utf-8"))
    # the entry of the other package
    del manifest["main" if target == WEB else "browser"]
    (folder / "package.json").write_text(json.dumps(manifest, indent=2, ensure_ascii=False) + "\n", "utf-8")
    server = folder / "bundled" / "webassembly"
    shutil.copytree(SERVER, server, ignore=shutil.ignore_patterns("*.mjs" if target == WEB else "*.js"))
    if target != WEB:
        files = [*server.glob("*.wasm"), *_stored(server), _compiled(folder / "bundled")]
        script = ROOT / "editors" / "web" / "server" / "pack.mjs"
        subprocess.run(["node", str(script), str(quality), *map(str, files)], check=True)
    return folder


def _copy(path: Path, to: Path) -> None:
    to.parent.mkdir(parents=True, exist_ok=True)
    if path.is_dir():
        shutil.copytree(path, to, ignore=shutil.ignore_patterns("__pycache__"))
    else:
        shutil.copyfile(path, to)


def _stored(server: Path) -> list[Path]:
    """Return the archives of the server, not compressed: brotli finds more in them then."""
    archives = [*server.glob("*.zip")]
    for path in archives:
        with zipfile.ZipFile(path) as archive:
            contents = [(info.filename, archive.read(info)) for info in archive.infolist()]
        with zipfile.ZipFile(path, "w") as archive:
            for name, data in contents:
                archive.writestr(zipfile.ZipInfo(name), data)
    return archives


def _compiled(folder: Path) -> Path:
    """The compiled modules for each Python, in one file, which `src/server/compiled.ts` reads."""
    contents: dict[str, list[tuple[str, int]]] = {}
    data: list[bytes] = []
    for python in sorted((EXTENSION / "bundled" / "libs").glob("cp3*")):
        files = sorted(path for path in python.rglob("*") if path.is_file() and path.suffix != ".pyc")
        contents[python.name] = [(path.relative_to(python).as_posix(), path.stat().st_size) for path in files]
        data += [path.read_bytes() for path in files]
    made = folder / "compiled"
    made.write_bytes(json.dumps(contents).encode() + b"\n" + b"".join(data))
    return made
