"""Programs of a newer Debian than this one, in their own folder: nothing is installed into the system."""

from __future__ import annotations

import fcntl
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
SUITE = "forky"
APT = ROOT / ".cache" / "apt"


class UnavailableError(Exception):
    """This machine cannot have what a test needs; the text says what and why."""


@contextmanager
def only_one(folder: Path) -> Iterator[None]:
    """Let one process at a time fill a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "install.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def unpack(cache: Path, packages: Sequence[str]) -> Path:
    """Fetch packages and all that they need, and unpack them into `cache/root`, which is what it gives.

    Raises `UnavailableError` without apt or its mirror.
    """
    root = cache / "root"
    shutil.rmtree(root, ignore_errors=True)
    archives = cache / "archives"
    for archive in _download(archives, (*packages, "patchelf")):
        run("dpkg-deb", "-x", str(archive), str(root))
    shutil.rmtree(archives)
    # links into /usr that no package brings
    for name in ("lib", "lib64", "bin"):
        if not (root / name).exists():
            (root / name).symlink_to(f"usr/{name}")
    return root


def use_own_libraries(root: Path, program: Path) -> None:
    """Bind a program to the C library that came with it: this system's is older.

    Raises `UnavailableError` if it is missing.
    """
    loaders = sorted((root / "usr").glob("lib*/ld-linux*.so.*")) or sorted((root / "usr/lib").glob("*/ld-linux*.so.*"))
    libraries = sorted((root / "usr/lib").glob("*-linux-gnu*"))
    if not loaders or not libraries:
        raise UnavailableError("the packages of Debian have no C library where one was expected")
    loader, folder = str(loaders[0]), str(libraries[0])
    patchelf = [loader, "--library-path", folder, str(root / "usr/bin/patchelf")]
    run(*patchelf, "--set-interpreter", loader, "--force-rpath", "--set-rpath", folder, str(program))


def _mirror() -> str:
    """Return the mirror that apt uses for Debian itself. Raises `UnavailableError`."""
    shape = "$(ORIGIN)|$(COMPONENT)|$(CODENAME)|$(REPO_URI)"
    targets = run("apt-get", "indextargets", "--format", shape, "Created-By: Packages").splitlines()
    fields = [line.split("|") for line in targets]
    # a codename with a hyphen is that of updates or of security, which have no other suites
    found = [uri for _, component, codename, uri in fields if component == "main" and codename.isalpha()]
    debian = [uri for origin, _, _, uri in fields if origin == "Debian" and uri in found] or found
    if not debian:
        raise UnavailableError("apt has no source of Debian packages")
    return debian[0]


def _download(archives: Path, packages: Sequence[str]) -> list[Path]:
    """Let apt find out what is needed, in its own root that knows of no installed package."""
    (archives / "partial").mkdir(parents=True, exist_ok=True)
    options = ["-o", f"Dir::Cache::archives={archives}", "-y", "-qq", "--download-only"]
    with only_one(APT):
        fresh = not (APT / "updated").exists()
        if fresh:
            _update()
    try:
        _apt("install", *options, *packages)
    except UnavailableError:
        if fresh:
            raise
        # the mirror has other versions than when the lists were made
        with only_one(APT):
            _update()
        _apt("install", *options, *packages)
    return sorted(archives.glob("*.deb"))


def _update() -> None:
    """Fetch the lists of packages, which all editors share."""
    for folder in ("lists/partial", "archives/partial", "empty"):
        (APT / folder).mkdir(parents=True, exist_ok=True)
    (APT / "status").touch()
    (APT / "sources.list").write_text(f"deb {_mirror()} {SUITE} main\n", encoding="utf-8")
    _apt("update", "-qq")
    (APT / "updated").touch()


def _apt(command: str, *arguments: str) -> None:
    settings = {
        "Dir::Etc::sourcelist": APT / "sources.list",
        "Dir::Etc::sourceparts": APT / "empty",
        "Dir::Etc::preferencesparts": APT / "empty",
        "Dir::State::lists": APT / "lists",
        "Dir::State::status": APT / "status",
        "Dir::Cache::archives": APT / "archives",
        "Dir::Cache::pkgcache": "",
        "Dir::Cache::srcpkgcache": "",
        "APT::Sandbox::User": "",
        "APT::Install-Recommends": "false",
        "Acquire::Languages": "none",
        "Debug::NoLocking": "true",
    }
    options = [part for name, value in settings.items() for part in ("-o", f"{name}={value}")]
    run("apt-get", *options, command, *arguments)


def run(*command: str, **where: Any) -> str:
    """Return what a command prints. Raises `UnavailableError` with what it complains of."""
    if not shutil.which(command[0]):
        raise UnavailableError(f"{command[0]} is not installed")
    done: subprocess.CompletedProcess[str] = subprocess.run(
        command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=900, check=False, **where
    )
    if done.returncode:
        said = (done.stderr.strip() or done.stdout.strip()).splitlines()[-15:]
        raise UnavailableError(f"{' '.join(command)} failed with {done.returncode}: {' | '.join(said)}")
    return done.stdout
