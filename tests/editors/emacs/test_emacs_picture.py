"""The picture of Emacs in the docs."""

from __future__ import annotations

from pathlib import Path

from editors.emacs.asking import configuration, environment_of
from editors.emacs.emacs_install import Emacs, version
from editors.flow import prepare
from editors.screen import LIGHT, SIZE, TEXT, is_as_accepted
from editors.terminal import Terminal


def test_the_picture_of_the_docs_is_what_a_person_sees(emacs: Emacs, tmp_path: Path) -> None:
    (tmp_path / ".emacs.d").mkdir()
    (tmp_path / ".emacs.d" / "init.el").write_text(configuration(), encoding="utf-8")
    # the mode line has its name
    project = tmp_path / "agent"
    project.mkdir()
    prepare(project)
    (project / "answer.gadget").write_text(TEXT, encoding="utf-8")
    environment = environment_of(emacs, tmp_path) | {"TERM": "xterm-256color"}
    with Terminal([*emacs.command, "-nw", "answer.gadget"], environment, project, SIZE) as terminal:
        terminal.shows("rejected: mode")
        terminal.press("\x1b>!\t")
        terminal.shows("possible completions")
        is_as_accepted(terminal, "emacs-session-gadget", f"Emacs {version(emacs)}", tmp_path / "taken.svg", LIGHT)
