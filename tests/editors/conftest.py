"""Editors, installed where they are missing."""

from __future__ import annotations

from pathlib import Path

import pytest

from editors.debian import ROOT
from editors.programs import BAT, EMACS, HELIX, KAKOUNE, NEOVIM, Program, available, find, lisp_of_emacs
from editors.vscode.install import node_modules


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
    found = available(lisp_of_emacs)
    # their native code would need a compiler
    options = ["--eval", "(setq native-comp-enable-subr-trampolines nil)"]
    options += [part for folder in found for part in ("-L", folder)]
    return options + [
        part for folder in found for file in sorted(Path(folder).glob("*-autoloads.el")) for part in ("-l", str(file))
    ]


@pytest.fixture(scope="session")
def modules() -> Path:
    """The npm packages of the tests of TextMate grammars."""
    return available(lambda: node_modules(ROOT / "tests" / "editors" / "grammars"))
