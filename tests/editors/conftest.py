"""Editors, installed where they are missing."""

from __future__ import annotations

from pathlib import Path

import pytest

from editors.programs import BAT, EMACS, HELIX, KAKOUNE, NEOVIM, Program, available, find, lisp_of_emacs


@pytest.fixture(scope="session")
def neovim() -> Path:
    return available(lambda: find(NEOVIM)).path


@pytest.fixture(scope="session")
def helix() -> Program:
    return available(lambda: find(HELIX))


@pytest.fixture(scope="session")
def kakoune() -> Program:
    return available(lambda: find(KAKOUNE))


@pytest.fixture(scope="session")
def bat() -> Path:
    """The program of bat, which reads the syntaxes of Sublime Text."""
    return available(lambda: find(BAT)).path


@pytest.fixture(scope="session")
def emacs() -> Program:
    return available(lambda: find(EMACS))


@pytest.fixture(scope="session")
def packaged() -> list[str]:
    """Options of an Emacs that finds lsp-mode and package-lint."""
    folders = available(lisp_of_emacs)
    autoloads = [str(file) for folder in folders for file in sorted(folder.glob("*-autoloads.el"))]
    # their native code would need a compiler
    options = ["--eval", "(setq native-comp-enable-subr-trampolines nil)"]
    return (
        options
        + [part for folder in folders for part in ("-L", str(folder))]
        + [part for file in autoloads for part in ("-l", file)]
    )
