"""The picture of Neovim in the docs."""

from __future__ import annotations

import subprocess
from pathlib import Path

from editors.flow import prepare
from editors.neovim.asking import as_you_type, command_of, environment_of
from editors.screen import SIZE, TEXT, is_as_accepted
from editors.terminal import Terminal


def test_the_picture_of_the_docs_is_what_a_person_sees(neovim: Path, tmp_path: Path) -> None:
    prepare(tmp_path)
    (tmp_path / "answer.gadget").write_text(TEXT, encoding="utf-8")
    environment = environment_of(tmp_path) | {"TERM": "xterm-256color", "COLORTERM": "truecolor"}
    command = [*command_of(neovim, tmp_path, f"{as_you_type()}\n"), "answer.gadget"]
    version = subprocess.run([neovim, "--version"], capture_output=True, text=True, check=True).stdout.splitlines()[0]
    with Terminal(command, environment, tmp_path, SIZE) as terminal:
        terminal.shows("E:1")
        # a terminal says its background: without it, Neovim waits and complains
        terminal.press("\x1b]11;rgb:1414/1616/1b1b\x1b\\")
        terminal.press("Go!")
        terminal.shows("Function")
        terminal.press("\x0e")
        terminal.shows("Required")
        is_as_accepted(terminal, "neovim-session-gadget", version, tmp_path / "taken.svg")
