"""Get an Emacs that has Eglot: the system's own if it is new enough, else Debian's newest.

Debian's goes to `.cache/emacs`; what is there already is reused.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from typing import NamedTuple

from editors.debian import ROOT, UnavailableError, only_one, unpack, use_own_libraries

CACHE = ROOT / ".cache" / "emacs"
OLDEST = 29


class Emacs(NamedTuple):
    """How to start it."""

    command: tuple[str, ...]
    environment: dict[str, str]
    """Its needs beside the usual ones."""


def install() -> Emacs:
    """Return the program to run, after installing it where it is missing.

    Raises `UnavailableError` if it is missing and cannot be fetched.
    """
    for candidate in (os.environ.get("LLMBLOCKS_EMACS"), shutil.which("emacs")):
        if candidate and version(Emacs((candidate,), {})) >= OLDEST:
            return Emacs((candidate,), {})
    with only_one(CACHE):
        if not (CACHE / "installed").exists():
            root = unpack(CACHE, ["emacs-nox"])
            use_own_libraries(root, root / "usr" / "bin" / "emacs-nox")
            if version(_unpacked()) < OLDEST:
                raise UnavailableError("the Emacs that Debian has does not run here, or is too old")
            (CACHE / "installed").touch()
    return _unpacked()


def packages() -> list[str]:
    """Return the folders of lsp-mode, package-lint and what they need, which Debian has as packages.

    Raises `UnavailableError` where they cannot be fetched.
    """
    cache = CACHE.with_name("emacs-packages")
    with only_one(cache):
        if not (cache / "installed").exists():
            unpack(cache, ["elpa-lsp-mode", "elpa-package-lint"])
            (cache / "installed").touch()
    return [str(folder) for folder in sorted((cache / "root/usr/share/emacs/site-lisp/elpa-src").iterdir())]


def version(emacs: Emacs) -> int:
    """Major version of an Emacs; 0 where it does not run."""
    command = [*emacs.command, "-Q", "--batch", "--eval", '(princ (format "Emacs %d" emacs-major-version))']
    try:
        shown = subprocess.run(
            command, env=os.environ | emacs.environment, capture_output=True, text=True, timeout=120, check=False
        ).stdout
    except (OSError, subprocess.TimeoutExpired):
        return 0
    found = re.search(r"Emacs (\d+)$", shown)
    return int(found[1]) if found else 0


def _unpacked() -> Emacs:
    """It was built to live in /usr, and must be reported where each part is instead."""
    usr = CACHE / "root" / "usr"
    dumps, lisp = sorted(usr.glob("libexec/emacs/*/*/*.pdmp")), sorted(usr.glob("share/emacs/*/lisp"))
    if not dumps or not lisp:
        raise UnavailableError("Debian's package of Emacs has no files where they were expected")
    environment = {
        "EMACSLOADPATH": str(lisp[0]),
        "EMACSDATA": str(lisp[0].parent / "etc"),
        "EMACSPATH": str(dumps[0].parent),
    }
    return Emacs((str(usr / "bin" / "emacs-nox"), f"--dump-file={dumps[0]}"), environment)
