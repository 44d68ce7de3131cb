"""Emacs, installed where it is missing."""

from __future__ import annotations

from pathlib import Path

import pytest

from editors.debian import UnavailableError
from editors.emacs.emacs_install import Emacs, install, packages


@pytest.fixture(scope="session")
def emacs() -> Emacs:
    try:
        return install()
    except UnavailableError as why:
        pytest.skip(str(why))


@pytest.fixture(scope="session")
def packaged() -> list[str]:
    """Options of an Emacs that finds lsp-mode and package-lint."""
    try:
        found = packages()
    except UnavailableError as why:
        pytest.skip(str(why))
    # their native code would need a compiler
    options = ["--eval", "(setq native-comp-enable-subr-trampolines nil)"]
    options += [part for folder in found for part in ("-L", folder)]
    return options + [
        part for folder in found for file in sorted(Path(folder).glob("*-autoloads.el")) for part in ("-l", str(file))
    ]
