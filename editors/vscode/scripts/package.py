"""Build the extension: `dist/llmblocks-<platform>-<version>.vsix`, with the server in it.

Usage: python editors/vscode/scripts/package.py [--target linux-x64] [--if-changed]
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from bundle_server import EXTENSION, LIBS, PLATFORMS, ROOT, bundle, this_platform  # isort: split

from building import only_one

INPUTS = ("server", "syntaxes", "editors/vscode", "editors/web/server", "requirements", "pyproject.toml", "LICENSE")
# VS Code's name of the package for browsers, which has no server for Python
WEB = "web"
# megabytes of the .vsix
BUDGET = 12.0
MADE = frozenset({"node_modules", "dist", "libs", "webassembly", "__pycache__", "syntaxes"})


def package(target: str, if_changed: bool) -> Path:
    """Bundle the server, check and bundle the TypeScript, and pack it all.

    With `if_changed`, what was built of the same files before is taken as it is.
    """
    version = json.loads((EXTENSION / "package.json").read_text())["version"]
    vsix = ROOT / "dist" / f"llmblocks-{target}-{version}.vsix"
    vsix.parent.mkdir(exist_ok=True)
    stamp = vsix.with_suffix(".inputs")
    with only_one(vsix.with_suffix(".lock")):
        inputs = digest()
        if not (if_changed and vsix.exists() and stamp.exists() and stamp.read_text() == inputs):
            made = build(target)
            # whoever installs the one before can go on
            made.replace(vsix)
            stamp.write_text(inputs)
    return vsix


def digest() -> str:
    """What tells one set of sources from another."""
    found = hashlib.sha256()
    for name in INPUTS:
        top = ROOT / name
        for path in [top] if top.is_file() else sorted(sources(top)):
            found.update(f"{path}\n".encode() + path.read_bytes())
    return found.hexdigest()


def sources(folder: Path) -> Iterator[Path]:
    """The files below a folder, without those that are made."""
    for path in folder.iterdir():
        if path.is_dir() and (path.name not in MADE or path == ROOT / "syntaxes"):
            yield from sources(path)
        elif path.is_file():
            yield path


def build(target: str) -> Path:
    """Make the .vsix, under a name that nobody waits for."""
    modules = EXTENSION / "node_modules"
    # both wait for registries
    with ThreadPoolExecutor(1) as other:
        installed = other.submit(install, modules)
        if target == WEB:
            shutil.rmtree(LIBS, ignore_errors=True)
        else:
            bundle(target)
        installed.result()
    run(sys.executable, str(ROOT / "editors" / "web" / "server" / "build.py"), "--if-changed")
    webassembly = EXTENSION / "bundled" / "webassembly"
    shutil.rmtree(webassembly, ignore_errors=True)
    shutil.copytree(ROOT / "dist" / "web-server", webassembly)
    run("node", str(modules / "typescript" / "bin" / "tsc"), "--noEmit")
    run("node", "scripts/build.mjs")
    vsix = ROOT / "dist" / f".{target}.vsix"
    vsce = [str(modules / "@vscode" / "vsce" / "vsce"), "package", "--no-dependencies"]
    # vsce does not look at `repository.directory`
    project = json.loads((EXTENSION / "package.json").read_text())["repository"]
    links = [f"{project['url']}/{kind}/main/{project['directory']}" for kind in ("blob", "raw")]
    vsce += ["--baseContentUrl", links[0], "--baseImagesUrl", links[1]]
    run("node", *vsce, "--target", target, "--out", str(vsix))
    return vsix


def install(modules: Path) -> None:
    """Install the locked npm packages of the extension; their scripts would only compile what `vsce` has no use for."""
    lock, done = EXTENSION / "package-lock.json", modules / ".package-lock.json"
    if not done.exists() or done.stat().st_mtime < lock.stat().st_mtime:
        run("npm", "ci", "--ignore-scripts")
        done.touch()


def table(vsix: Path) -> Iterator[str]:
    """A line for each part of a .vsix, the largest first, and the total beside its budget."""
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
    yield f"    {'budget':48} {BUDGET:6.2f} MB"
    if total > BUDGET:
        raise SystemExit("the .vsix is over its budget: leave something out, or raise BUDGET with a reason")


def run(*command: str) -> None:
    """Run a program in the extension's folder; what it says is shown only where it fails."""
    program = shutil.which(command[0])
    if program is None:
        raise SystemExit(f"{command[0]} is not installed")
    done = subprocess.run([program, *command[1:]], cwd=EXTENSION, capture_output=True, text=True, env=os.environ)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)} failed:\n{done.stdout}{done.stderr}")


def main() -> None:
    """Build for the platform that is asked for, or for this one."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--target", choices=[*PLATFORMS, WEB], default=this_platform())
    parser.add_argument("--if-changed", action="store_true", help="take what was built of the same files before")
    asked = parser.parse_args()
    vsix = package(asked.target, asked.if_changed)
    sys.stdout.writelines(f"{line}\n" for line in table(vsix))
    sys.stdout.write(f"{vsix.relative_to(ROOT)}: {vsix.stat().st_size / 1e6:.1f} MB\n")


if __name__ == "__main__":
    main()
