"""Programs of a newer Debian than this one, in a folder of their own: nothing is installed into the system."""

from __future__ import annotations

import fcntl
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SUITE = "forky"


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

    Errors: `UnavailableError` where there is no apt, or its mirror cannot be reached.
    """
    for tool in ("apt-get", "dpkg-deb"):
        if not shutil.which(tool):
            raise UnavailableError(f"no {tool} to fetch {packages[0]} with")
    root = cache / "root"
    shutil.rmtree(root, ignore_errors=True)
    for archive in _download(cache / "apt", _mirror(), (*packages, "patchelf")):
        _run("dpkg-deb", "-x", str(archive), str(root))
    shutil.rmtree(cache / "apt")
    # links into /usr that no package brings
    for name in ("lib", "lib64", "bin"):
        if not (root / name).exists():
            (root / name).symlink_to(f"usr/{name}")
    return root


def use_own_libraries(root: Path, program: Path) -> None:
    """Bind a program to the C library that came with it: this system's is older.

    Errors: `UnavailableError` where there is none.
    """
    loaders = sorted((root / "usr").glob("lib*/ld-linux*.so.*")) or sorted((root / "usr/lib").glob("*/ld-linux*.so.*"))
    libraries = sorted((root / "usr/lib").glob("*-linux-gnu*"))
    if not loaders or not libraries:
        raise UnavailableError("the packages of Debian have no C library where one was expected")
    loader, folder = str(loaders[0]), str(libraries[0])
    patchelf = [loader, "--library-path", folder, str(root / "usr/bin/patchelf")]
    _run(*patchelf, "--set-interpreter", loader, "--force-rpath", "--set-rpath", folder, str(program))


def _mirror() -> str:
    """The mirror that apt uses for Debian itself. Errors: `UnavailableError`."""
    shape = "$(ORIGIN)|$(COMPONENT)|$(CODENAME)|$(REPO_URI)"
    targets = _run("apt-get", "indextargets", "--format", shape, "Created-By: Packages").splitlines()
    fields = [line.split("|") for line in targets]
    # a codename with a hyphen is that of updates or of security, which have no other suites
    found = [uri for _, component, codename, uri in fields if component == "main" and codename.isalpha()]
    debian = [uri for origin, _, _, uri in fields if origin == "Debian" and uri in found] or found
    if not debian:
        raise UnavailableError("apt has no source of Debian packages")
    return debian[0]


def _download(home: Path, mirror: str, packages: Sequence[str]) -> list[Path]:
    """Let apt find out what is needed, in a root of its own that knows of no installed package."""
    for folder in ("lists/partial", "archives/partial", "empty"):
        (home / folder).mkdir(parents=True, exist_ok=True)
    (home / "status").touch()
    (home / "sources.list").write_text(f"deb {mirror} {SUITE} main\n", encoding="utf-8")
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
    _run("apt-get", *options, "install", "-y", "-qq", "--download-only", *packages)
    return sorted((home / "archives").glob("*.deb"))


def _run(*command: str) -> str:
    """Errors: `UnavailableError` with what the command said."""
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    if done.returncode:
        said = (done.stderr.strip() or done.stdout.strip()).splitlines()[-5:]
        raise UnavailableError(f"{command[0]} failed with {done.returncode}: {' | '.join(said)}")
    return done.stdout
