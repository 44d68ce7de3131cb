"""Colours and widths, on a real terminal and in a pipe."""

from __future__ import annotations

import os
import re
import subprocess
from contextlib import suppress
from pathlib import Path

import pytest

import commands
from commands import COMMAND

# the command as a process
pytestmark = pytest.mark.slow

WRONG = "@user\nHello\n@*/\n"
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
        # so a terminal ends on Linux
        with suppress(OSError):
            while piece := os.read(parent, 65536):
                shown += piece
    os.close(parent)
    return shown.decode().replace("\r\n", "\n")


@pytest.mark.parametrize(
    ("terminal", "arguments", "variables", "coloured"),
    [
        (True, "check", {}, True),
        (True, "check --output-format concise", {}, True),
        (False, "check", {}, False),
        (False, "check --output-format concise", {}, False),
        (True, "check", {"NO_COLOR": "1"}, False),
        (True, "check", {"NO_COLOR": ""}, True),
        (True, "check", {"TERM": "dumb"}, False),
        (False, "check", {"FORCE_COLOR": "1"}, True),
        (True, "check --color never", {"FORCE_COLOR": "1"}, False),
        (False, "check --color always", {"NO_COLOR": "1"}, True),
        (False, "check --color auto", {}, False),
        # machines read none
        *[
            (False, f"check --color always --output-format {output}", {}, False)
            for output in ("json", "jsonl", "sarif", "github", "gitlab", "junit")
        ],
        (True, "explain S001", {}, True),
        (True, "explain S001 --color never", {}, False),
        (False, "explain S001 --color always", {}, True),
        (False, "explain S001", {}, False),
        (False, "session . --color always", {}, True),
        (True, "check --diff a.stf", {"TERM": "dumb"}, False),
        (True, "check --diff a.stf", {"NO_COLOR": "1"}, False),
    ],
)
def test_colours_are_for_terminals_and_those_who_ask(
    terminal: bool, arguments: str, variables: dict[str, str], coloured: bool, tmp_path: Path
) -> None:
    (tmp_path / "0001.response").write_text("!!!GADGET_START:Read:r1\n!!!ARG:a\n1\n!!!ARG:a\n2\n", "utf-8")
    shown = run(tmp_path, *arguments.split(), terminal=terminal, **variables)
    assert "S001" in shown or "rejected" in shown or "-@*/" in shown
    assert (ESCAPE in shown) == coloured


def test_a_terminal_shows_the_line_and_the_mistake(tmp_path: Path) -> None:
    assert "3 | @*/\n  | ^^^\n" in run(tmp_path, "check", "--color", "never", terminal=True)


@pytest.mark.parametrize("arguments", ["check --diff a.stf", "format --diff b.gadget"])
def test_a_diff_has_colours_on_a_terminal(arguments: str, tmp_path: Path) -> None:
    (tmp_path / "b.gadget").write_text(
        "!!!GADGET_START:A\n!!!GADGET_END\n\n\n\n!!!GADGET_START:B\n!!!GADGET_END\n", "utf-8"
    )
    shown, plain = (run(tmp_path, *arguments.split(), terminal=terminal) for terminal in (True, False))
    assert "\x1b[31m-" in shown
    assert ESCAPE not in plain
    assert plain in re.sub(r"\x1b\[\d+m", "", shown)


def test_the_live_view_ends_its_last_line() -> None:
    command = [*COMMAND, "stream", "--language", "stf", "--output-format", "live"]
    done = subprocess.run(command, input="@user\nHello", capture_output=True, text=True, check=True)
    assert done.stdout == "@user\nHello\n"
