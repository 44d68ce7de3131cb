"""The programs that tests start: the system's own if it is new enough, else Debian's newest.

Debian's go to `.cache`; what is there already is reused.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import pytest

from editors.debian import ROOT, UnavailableError, only_one, unpack, use_own_libraries

Found = TypeVar("Found")


def output(*command: str | Path, stdin: str = "", **where: Any) -> str:
    """Return what a program prints once it has ended well. `where` has its `cwd` and `env`, if they are others."""
    given = [str(each) for each in command]
    done: subprocess.CompletedProcess[str] = subprocess.run(
        given, input=stdin, capture_output=True, text=True, timeout=900, check=False, **where
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


class Program(NamedTuple):
    """How to start it, and its needs beside the usual ones."""

    command: tuple[str, ...]
    environment: dict[str, str]

    @property
    def path(self) -> Path:
        """Where it is."""
        return Path(self.command[0])

    def prints(self, *arguments: str) -> str:
        """Return its output; empty where it does not run."""
        command, environment = [*self.command, *arguments], os.environ | self.environment
        try:
            return subprocess.run(
                command, env=environment, capture_output=True, text=True, timeout=120, check=False
            ).stdout.strip()
        except (OSError, subprocess.TimeoutExpired):
            return ""


def placed(program: str, **folders: str) -> Callable[[Path], Program]:
    """Return how to start a program by its place among what was unpacked, with variables that name other places."""
    return lambda root: Program((str(root / program),), {name: str(root / folder) for name, folder in folders.items()})


def unpacked_emacs(root: Path) -> Program:
    """It was built to live in /usr, and must be told where each part is instead."""
    usr = root / "usr"
    dumps, lisp = sorted(usr.glob("libexec/emacs/*/*/*.pdmp")), sorted(usr.glob("share/emacs/*/lisp"))
    if not dumps or not lisp:
        raise UnavailableError("Debian's package of Emacs has no files where they were expected")
    places = {"EMACSLOADPATH": lisp[0], "EMACSDATA": lisp[0].parent / "etc", "EMACSPATH": dumps[0].parent}
    command = (str(usr / "bin" / "emacs-nox"), f"--dump-file={dumps[0]}")
    return Program(command, {name: str(place) for name, place in places.items()})


class Wanted(NamedTuple):
    """A program by its package in Debian, and its folder in `.cache`."""

    package: str
    cache: str
    unpacked: Callable[[Path], Program]
    """How to start it where it was unpacked."""
    version: str
    """A pattern of the version that it prints."""
    oldest: tuple[int, ...] = ()
    names: tuple[str, ...] = ()
    """Of the system's own, and the variable that names it."""
    asked: tuple[str, ...] = ("--version",)
    installed: str = "installed"


NUMBERS = r"(\d+)\.(\d+)"
MAJOR_OF_EMACS = ("-Q", "--batch", "--eval", '(princ (format "Emacs %d" emacs-major-version))')
NEOVIM = Wanted("neovim", "neovim", placed("usr/bin/nvim"), f"NVIM v{NUMBERS}", (0, 11), ("LLMBLOCKS_NVIM", "nvim"))
# /usr/bin/hx is a link to it
AS_HELIX = placed("usr/lib/hx/hx", HELIX_RUNTIME="usr/lib/hx/runtime")
HELIX = Wanted("hx", "helix", AS_HELIX, "helix ()", (), ("LLMBLOCKS_HELIX", "hx", "helix"))
EMACS = Wanted(
    "emacs-nox", "emacs", unpacked_emacs, r"Emacs (\d+)$", (29,), ("LLMBLOCKS_EMACS", "emacs"), MAJOR_OF_EMACS
)
AS_KAKOUNE = placed("usr/bin/kak", KAKOUNE_RUNTIME="usr/share/kak")
KAKOUNE = Wanted("kakoune", "kakoune", AS_KAKOUNE, "Kakoune ()", asked=("-version",))
BAT = Wanted("bat", "bat", placed("usr/bin/batcat"), "bat ()")
TREE_SITTER = Wanted(
    "tree-sitter-cli",
    "tree-sitter",
    placed("usr/bin/tree-sitter"),
    f"tree-sitter {NUMBERS}",
    (0, 26),
    ("LLMBLOCKS_TREE_SITTER", "tree-sitter"),
    installed="cli/installed",
)
"""The packages on npm and PyPI have no program in them: they download it."""


def find(wanted: Wanted) -> Program:
    """Return a program, after installing it where it is missing.

    Raises `UnavailableError` if it is missing and cannot be fetched.
    """
    variable, *names = wanted.names or ("",)
    for candidate in (os.environ.get(variable), *map(shutil.which, names)):
        if candidate and is_new(program := Program((candidate,), {}), wanted):
            return program
    cache = ROOT / ".cache" / wanted.cache
    done = cache / wanted.installed
    with only_one(done.parent):
        if not done.exists():
            program = wanted.unpacked(unpack(cache, [wanted.package]))
            use_own_libraries(cache / "root", program.path)
            if not is_new(program, wanted):
                raise UnavailableError(f"the {wanted.package} that Debian has does not run here, or is too old")
            done.touch()
    return wanted.unpacked(cache / "root")


def is_new(program: Program, wanted: Wanted) -> bool:
    """Return whether it runs, and is not too old."""
    found = re.match(wanted.version, program.prints(*wanted.asked))
    return found is not None and tuple(int(each or 0) for each in found.groups()) >= wanted.oldest


def lisp_of_emacs() -> list[Path]:
    """Return the folders of lsp-mode, package-lint and what they need, which Debian has as packages."""
    cache = ROOT / ".cache" / "emacs-packages"
    with only_one(cache):
        if not (cache / "installed").exists():
            unpack(cache, ["elpa-lsp-mode", "elpa-package-lint"])
            (cache / "installed").touch()
    return sorted((cache / "root/usr/share/emacs/site-lisp/elpa-src").iterdir())


def available(found: Callable[[], Found]) -> Found:
    """Return what is found; without it, the test is skipped."""
    try:
        return found()
    except UnavailableError as why:
        pytest.skip(str(why))
