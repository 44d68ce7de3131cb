"""Build the extension: `dist/llmblocks-<platform>-<version>.vsix`, with the server in it.

Usage: python editors/vscode/scripts/package.py [--target linux-x64] [--if-changed] [--quick]

The package for a platform has the server for Python and the one for WebAssembly; what is large in them is packed with
brotli. Packing it best takes a minute. With --quick, as for tests, it takes five seconds, and the package is 0.9 MB
larger. The target `web` is the package for browsers, which has no server for Python.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import shutil
import subprocess
import sys
import time
import zipfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

from bundle_server import PLATFORMS, bundle, this_platform
from stage import EXTENSION, ROOT, WEB, stage  # isort: split

from building import only_one

INPUTS = ("server", "syntaxes", "editors/vscode", "editors/web/server", "pyproject.toml", "LICENSE")
# of brotli
BEST, QUICK = 11, 7
# megabytes of the .vsix: of a platform, the same in a hurry, and for browsers
# what reads Markdown is 0.1 to 0.2 of them, what reads code for each Python 1.4 or, in a hurry, 1.6
# pygls with what it needs is 0.3, raw completions and their templates 0.1
BUDGET: dict[int | str, float] = {BEST: 9.7, QUICK: 10.9, WEB: 8.45}
MADE = frozenset({"node_modules", "dist", "libs", "webassembly", "__pycache__", "syntaxes"})


def package(target: str, if_changed: bool, quality: int) -> Path:
    """Bundle the server, check and bundle the TypeScript, and pack it all.

    With `if_changed`, what was built of the same files before, at this quality or better, is taken unchanged.
    """
    version = json.loads((EXTENSION / "package.json").read_text())["version"]
    vsix = ROOT / "dist" / f"llmblocks-{target}-{version}.vsix"
    stamp = vsix.with_suffix(".inputs")
    with only_one(ROOT / "dist" / "vscode.lock"):
        inputs = digest()
        fresh = [f"{inputs} {each}" for each in range(quality, BEST + 1)]
        if not (if_changed and vsix.exists() and stamp.exists() and stamp.read_text() in fresh):
            made = build(target, quality)
            # whoever installs the one before can continue
            made.replace(vsix)
            stamp.write_text(fresh[0])
    return vsix


def digest() -> str:
    """Return a key that distinguishes sets of sources."""
    found = hashlib.sha256()
    for name in INPUTS:
        top = ROOT / name
        for path in [top] if top.is_file() else sorted(sources(top)):
            found.update(f"{path}\n".encode() + path.read_bytes())
    return found.hexdigest()


def sources(folder: Path) -> Iterator[Path]:
    """Yield the files below a folder, without those that are made."""
    for path in folder.iterdir():
        if path.is_dir() and (path.name not in MADE or path == ROOT / "syntaxes"):
            yield from sources(path)
        elif path.is_file():
            yield path


def build(target: str, quality: int) -> Path:
    """Make the .vsix, under a name that nobody waits for."""
    # one waits for npm, and the other for PyPI
    with ThreadPoolExecutor(1) as other:
        prepared = other.submit(prepare)
        if target != WEB:
            with doing("the server for each Python"):
                bundle(target)
        prepared.result()
    vsix = ROOT / "dist" / f".{target}.vsix"
    with doing("packing, which takes a minute" if quality == BEST else "packing"):
        folder = stage(target, quality)
    vsce = [str(EXTENSION / "node_modules" / "@vscode" / "vsce" / "vsce"), "package", "--no-dependencies"]
    # vsce does not look at `repository.directory`
    project = json.loads((EXTENSION / "package.json").read_text())["repository"]
    links = [f"{project['url']}/{kind}/main/{project['directory']}" for kind in ("blob", "raw")]
    vsce += ["--baseContentUrl", links[0], "--baseImagesUrl", links[1]]
    run("node", *vsce, "--target", target, "--out", str(vsix), cwd=folder)
    shutil.rmtree(folder)
    return vsix


@contextmanager
def doing(what: str) -> Iterator[None]:
    """Say what is made, and then how long it took."""
    start = time.monotonic()
    sys.stderr.write(f"{what} …\n")
    yield
    sys.stderr.write(f"{what}: {time.monotonic() - start:.0f} s\n")


def prepare() -> None:
    """Make what all packages have in common: the server for WebAssembly, and the scripts."""
    modules = EXTENSION / "node_modules"
    lock, done = EXTENSION / "package-lock.json", modules / ".package-lock.json"
    if not done.exists() or done.stat().st_mtime < lock.stat().st_mtime:
        # scripts of packages would only compile what `vsce` has no use for
        with doing("npm packages"):
            run("npm", "ci", "--ignore-scripts")
        done.touch()
    with doing("the server in WebAssembly"):
        run(sys.executable, str(ROOT / "editors" / "web" / "server" / "build.py"), "--if-changed")
    with doing("the scripts"):
        run("node", str(modules / "typescript" / "bin" / "tsc"), "--noEmit")
        run("node", "scripts/build.mjs")


def table(vsix: Path, budget: float) -> Iterator[str]:
    """Yield a line for each part of a .vsix, the largest first, and the total beside its budget."""
    parts: dict[str, int] = {}
    with zipfile.ZipFile(vsix) as archive:
        for info in archive.infolist():
            inside = Path(info.filename).parts
            depth = 5 if inside[1:3] == ("bundled", "libs") else 2
            name = "/".join(inside[1:depth] or inside)
            parts[name] = parts.get(name, 0) + info.compress_size
    for name, size in sorted(parts.items(), key=lambda item: -item[1]):
        if size > 20_000:
            yield f"    {name:48} {size / 1e6:6.2f} MB"
    total = vsix.stat().st_size / 1e6
    yield f"    {'total':48} {total:6.2f} MB"
    yield f"    {'budget':48} {budget:6.2f} MB"
    if total > budget:
        raise SystemExit("the .vsix is over its budget: leave something out, or raise BUDGET with a reason")


def run(*command: str, cwd: Path = EXTENSION) -> None:
    """Run a program; what it says is shown only where it fails."""
    program = shutil.which(command[0])
    if program is None:
        raise SystemExit(f"{command[0]} is not installed")
    done = subprocess.run([program, *command[1:]], cwd=cwd, capture_output=True, text=True, env=os.environ)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)} failed:\n{done.stdout}{done.stderr}")


def main() -> None:
    """Build for the platform that is asked for, or for this one."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--target", choices=[*PLATFORMS, WEB], default=this_platform())
    parser.add_argument("--if-changed", action="store_true", help="take what was built of the same files before")
    parser.add_argument("--quick", action="store_true", help="compress less, in a tenth of the time")
    asked = parser.parse_args()
    quality = QUICK if asked.quick else BEST
    vsix = package(asked.target, asked.if_changed, quality)
    budget = BUDGET[WEB if asked.target == WEB else quality]
    sys.stdout.writelines(f"{line}\n" for line in table(vsix, budget))
    sys.stdout.write(f"{vsix.relative_to(ROOT)}: {vsix.stat().st_size / 1e6:.1f} MB\n")


if __name__ == "__main__":
    main()
