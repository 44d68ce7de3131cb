"""Colours and widths, on a real terminal and in a pipe."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import commands

# the command as a process
pytestmark = pytest.mark.slow

WRONG = "@user\nHello\n@*/\n"
COMMAND = [sys.executable, "-m", "llmblocks"]
ESCAPE = "\x1b["


def run(folder: Path, *arguments: str, terminal: bool, **variables: str) -> str:
    """Return the output of a command, on a terminal or in a pipe."""
    (folder / "a.stf").write_text(WRONG, "utf-8")
    environment = {"NO_COLOR": "", "FORCE_COLOR": "", "TERM": "xterm-256color", "COLUMNS": "90", **variables}
    if not terminal:
        return commands.run(folder, *arguments, **environment).stdout
    pty = pytest.importorskip("pty")
    parent, child = pty.openpty()
    with subprocess.Popen([*COMMAND, *arguments], cwd=folder, stdout=child, stderr=child, env=os.environ | environment):
        os.close(child)
        shown = b""
        try:
            while piece := os.read(parent, 65536):
                shown += piece
        except OSError:
            # so a terminal ends on Linux
            pass
    os.close(parent)
    return shown.decode().replace("\r\n", "\n")


@pytest.mark.parametrize(
    ("terminal", "arguments", "variables", "coloured"),
    [
        (True, (), {}, True),
        (True, ("--output-format", "concise"), {}, True),
        (False, (), {}, False),
        (False, ("--output-format", "concise"), {}, False),
        (True, (), {"NO_COLOR": "1"}, False),
        (True, (), {"NO_COLOR": ""}, True),
        (True, (), {"TERM": "dumb"}, False),
        (False, (), {"FORCE_COLOR": "1"}, True),
        (True, ("--color", "never"), {"FORCE_COLOR": "1"}, False),
        (False, ("--color", "always"), {"NO_COLOR": "1"}, True),
        (False, ("--color", "auto"), {}, False),
    ],
)
def test_colours_are_for_terminals_and_those_who_ask(
    terminal: bool, arguments: tuple[str, ...], variables: dict[str, str], coloured: bool, tmp_path: Path
) -> None:
    shown = run(tmp_path, "check", *arguments, terminal=terminal, **variables)
    assert "S001" in shown
    assert (ESCAPE in shown) == coloured


def test_a_terminal_shows_the_line_and_the_mistake(tmp_path: Path) -> None:
    assert "3 | @*/\n  | ^^^\n" in run(tmp_path, "check", "--color", "never", terminal=True)


def test_machines_read_no_colours(tmp_path: Path) -> None:
    for output in ("json", "jsonl", "sarif", "github", "gitlab", "junit"):
        assert ESCAPE not in run(tmp_path, "check", "--output-format", output, "--color", "always", terminal=False)


def test_other_commands_have_colours_too(tmp_path: Path) -> None:
    assert ESCAPE in run(tmp_path, "explain", "G101", terminal=True)
    assert ESCAPE not in run(tmp_path, "explain", "G101", "--color", "never", terminal=True)
    assert ESCAPE in run(tmp_path, "explain", "G101", "--color", "always", terminal=False)
    assert run(tmp_path, "explain", "G101", terminal=False).startswith("# ")


@pytest.mark.parametrize("arguments", [("check", "--diff", "a.stf"), ("format", "--diff", "b.gadget")])
def test_a_diff_has_colours_on_a_terminal(arguments: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / "b.gadget").write_text(
        "!!!GADGET_START:A\n!!!GADGET_END\n\n\n\n!!!GADGET_START:B\n!!!GADGET_END\n", "utf-8"
    )
    shown = run(tmp_path, *arguments, terminal=True)
    plain = run(tmp_path, *arguments, terminal=False)
    assert "\x1b[31m-" in shown
    assert ESCAPE not in plain
    assert plain in re.sub(r"\x1b\[\d+m", "", shown)
    assert ESCAPE not in run(tmp_path, *arguments, terminal=True, TERM="dumb")
    assert ESCAPE not in run(tmp_path, *arguments, terminal=True, NO_COLOR="1")


def test_the_live_view_ends_its_last_line() -> None:
    command = [*COMMAND, "stream", "--language", "stf", "--output-format", "live"]
    done = subprocess.run(command, input="@user\nHello", capture_output=True, text=True, check=True)
    assert done.stdout == "@user\nHello\n"
