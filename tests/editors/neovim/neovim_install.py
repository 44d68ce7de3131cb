"""Get a Neovim that has `vim.lsp.config`: the system's own if it is new enough, else Debian's newest.

Debian's goes to `.cache/neovim`, and what is there already is reused: nothing is installed into the system. Run it
alone to fill the cache: `python tests/editors/neovim/neovim_install.py`.
"""

from __future__ import annotations

import fcntl
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
CACHE = ROOT / ".cache" / "neovim"
SUITE = "forky"
OLDEST = (0, 11)
_PACKAGES = ("neovim", "patchelf")


class UnavailableError(Exception):
    """This machine cannot have a Neovim that is new enough; the text says what and why."""


def install() -> Path:
    """The program to run, after installing it where it is missing.

    Errors: `UnavailableError` where there is none and none can be fetched.
    """
    for candidate in (os.environ.get("LLMBLOCKS_NVIM"), shutil.which("nvim")):
        if candidate and version(Path(candidate)) >= OLDEST:
            return Path(candidate)
    CACHE.mkdir(parents=True, exist_ok=True)
    with (CACHE / "install.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        program = CACHE / "root" / "usr" / "bin" / "nvim"
        if not (CACHE / "installed").exists():
            _fetch(program)
            (CACHE / "installed").write_text(".".join(map(str, version(program))))
        return program


def version(program: Path) -> tuple[int, ...]:
    """Major and minor version of a Neovim; () where it does not run."""
    try:
        shown = subprocess.run([program, "--version"], capture_output=True, text=True, timeout=30, check=False).stdout
    except (OSError, subprocess.TimeoutExpired):
        return ()
    found = re.match(r"NVIM v(\d+)\.(\d+)", shown)
    return (int(found[1]), int(found[2])) if found else ()


def _fetch(program: Path) -> None:
    root = CACHE / "root"
    for tool in ("apt-get", "dpkg", "dpkg-deb"):
        if not shutil.which(tool):
            raise UnavailableError(f"no Neovim {'.'.join(map(str, OLDEST))} or newer, and no {tool} to fetch one with")
    shutil.rmtree(root, ignore_errors=True)
    archives = _download(_mirror())
    for archive in archives:
        _run("dpkg-deb", "-x", str(archive), str(root))
    _link_merged_folders(root)
    _use_own_libraries(root, program)
    if version(program) < OLDEST:
        raise UnavailableError(f"Debian {SUITE} has no Neovim that runs here and is new enough")


def _mirror() -> str:
    """The mirror that apt uses for Debian itself. Errors: `UnavailableError`."""
    shape = "$(ORIGIN)|$(COMPONENT)|$(CODENAME)|$(REPO_URI)"
    targets = _run("apt-get", "indextargets", "--format", shape, "Created-By: Packages").splitlines()
    fields = [line.split("|") for line in targets]
    own = [uri for _, component, codename, uri in fields if component == "main" and codename.isalpha()]
    debian = [each[3] for each in fields if each[0] == "Debian" and each[3] in own] or own
    if not debian:
        raise UnavailableError("no Neovim that is new enough, and apt has no source of Debian packages")
    return debian[0]


def _download(mirror: str) -> list[Path]:
    """Let apt find out what Neovim needs, in a root of its own that knows of no installed package."""
    home = CACHE / "apt"
    for folder in ("lists/partial", "archives/partial", "empty"):
        (home / folder).mkdir(parents=True, exist_ok=True)
    (home / "status").touch()
    (home / "sources.list").write_text(f"deb {mirror} {SUITE} main\n")
    settings = {
        "Dir::Etc::sourcelist": home / "sources.list",
        "Dir::Etc::sourceparts": home / "empty",
        "Dir::Etc::preferencesparts": home / "empty",
        "Dir::State::lists": home / "lists",
        "Dir::State::status": home / "status",
        "Dir::Cache::archives": home / "archives",
        "Dir::Cache::pkgcache": "",
        "Dir::Cache::srcpkgcache": "",
        "APT::Sandbox::User": "",
        "APT::Install-Recommends": "false",
        "Acquire::Languages": "none",
        "Debug::NoLocking": "true",
    }
    options = [part for name, value in settings.items() for part in ("-o", f"{name}={value}")]
    _run("apt-get", *options, "update", "-qq")
    _run("apt-get", *options, "install", "-y", "-qq", "--download-only", *_PACKAGES)
    return sorted((home / "archives").glob("*.deb"))


def _link_merged_folders(root: Path) -> None:
    """`/lib` and its kin are links into `/usr` there; no package that was unpacked by hand makes them."""
    for name in ("lib", "lib64", "bin"):
        if not (root / name).exists():
            (root / name).symlink_to(f"usr/{name}")


def _use_own_libraries(root: Path, program: Path) -> None:
    """Bind the program to the C library it came with: this system's is older."""
    loaders = sorted((root / "usr").glob("lib*/ld-linux*.so.*")) or sorted((root / "usr/lib").glob("*/ld-linux*.so.*"))
    libraries = sorted((root / "usr/lib").glob("*-linux-gnu*"))
    if not loaders or not libraries:
        raise UnavailableError("the packages of Debian have no C library where one was expected")
    loader, folder = str(loaders[0]), str(libraries[0])
    patchelf = [loader, "--library-path", folder, str(root / "usr/bin/patchelf")]
    _run(*patchelf, "--set-interpreter", loader, "--force-rpath", "--set-rpath", folder, str(program))


def _run(*command: str) -> str:
    """Errors: `UnavailableError` with what the command said."""
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    if done.returncode:
        said = (done.stderr.strip() or done.stdout.strip()).splitlines()[-5:]
        raise UnavailableError(f"{command[0]} failed with {done.returncode}: {' | '.join(said)}")
    return done.stdout


if __name__ == "__main__":
    sys.stdout.write(f"{install()}\n")
