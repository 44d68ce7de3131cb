"""Choosing the Python that runs the server, in real VS Code."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from editors.vscode.studio import Studio

SETTING = "llmblocks.server.interpreter"
ROW = ".quick-input-list .monaco-list-row"


@pytest.fixture
def environments(studio: Studio, folder: Path) -> Iterator[tuple[Path, Path]]:
    """Two environments in the workspace, whose names nobody can guess; the second one is broken."""
    programs = []
    for name in ("of-ours", "of-nobody"):
        program = folder / name / "bin" / "python3"
        program.parent.mkdir(parents=True)
        (folder / name / "pyvenv.cfg").touch()
        programs.append(program)
    whole, broken = programs
    whole.symlink_to(Path(sys.executable).resolve())
    broken.write_text("#!/bin/sh\necho nonsense\n")
    broken.chmod(0o755)
    yield whole, broken
    for program in programs:
        shutil.rmtree(program.parents[1])


def ask(studio: Studio) -> None:
    """Open the list, and wait until everything has been found."""
    studio.probe("begin", name="llmblocks.chooseInterpreter")
    studio.browser("text", selector=f"{ROW}:has-text(', current')", timeout=60000)


def choose(studio: Studio, typed: str, row: str) -> None:
    """Choose a row with the keys: a click may hit another one, as the list uses its rows again."""
    studio.browser("type", text=typed)
    studio.browser("text", selector=f"{ROW}.focused{row}")
    studio.browser("press", key="Enter")


def test_the_interpreters_that_there_are_can_be_chosen(studio: Studio, environments: tuple[Path, Path]) -> None:
    whole, broken = environments
    before = studio.probe("running")
    ask(studio)
    current = studio.browser("text", selector=f"{ROW}:has-text('the Python extension, current')")
    assert str(studio.home / "chosen-by-extension") in current
    assert "PATH, as python3" in studio.browser("text", selector=f"{ROW}:has-text('PATH, as python3')")
    # the list is longer than what is drawn of it
    choose(studio, "of-nobody", f":has-text('{broken}'):has-text('it answered \"nonsense\"')")
    said = studio.browser("text", selector=".notification-toast:has-text('cannot run with')")
    assert f'llmblocks cannot run with {broken}: it answered "nonsense". Nothing was changed.' in said
    assert studio.probe("setting", section=SETTING) is None
    studio.probe("command", name="notifications.clearAll")
    ask(studio)
    choose(studio, "of-ours", f":has-text('{whole}')")
    after = studio.probe("running", unlike=before["pid"])
    assert studio.probe("setting", section=SETTING) == str(whole)
    assert Path(f"/proc/{after['pid']}/cmdline").read_text().split("\0")[0] == str(whole)
    ask(studio)
    choose(studio, "automatically", ":has-text('empties the setting')")
    studio.probe("running", unlike=after["pid"])
    assert studio.probe("setting", section=SETTING) is None


def test_a_path_that_is_entered_is_judged_while_it_is_typed(studio: Studio) -> None:
    before = studio.probe("running")
    ask(studio)
    choose(studio, "Enter a path", ":has-text('Enter a path…')")
    # what is typed before the box is there is lost
    studio.browser("text", selector=".quick-input-widget .quick-input-message:has-text('The path of a Python')")
    studio.browser("type", text="/nowhere/python3")
    said = studio.browser("text", selector=".quick-input-widget .quick-input-message:has-text('no such file')")
    assert "no such file" in said
    studio.browser("press", key="Control+a")
    studio.browser("type", text=sys.executable)
    studio.browser("gone", selector=".quick-input-widget .quick-input-message:has-text('no such file')")
    studio.browser("press", key="Enter")
    after = studio.probe("running", unlike=before["pid"])
    assert studio.probe("setting", section=SETTING) == sys.executable
    studio.probe("configure", section=SETTING, value=None)
    studio.probe("running", unlike=after["pid"])
