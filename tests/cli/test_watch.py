"""`llmblocks check --watch`, through the real command, on a terminal and in a pipe."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from commands import COMMAND, run

GOOD, WRONG = "@user\nHello\n", "@user\nHello\n@*/\n"
ENDED = "watching for changes; Ctrl-C stops\n"
CLEARED = "\x1b[2J"

pytestmark = [
    # the command as a process
    pytest.mark.slow,
    pytest.mark.skipif(os.name == "nt", reason="signals and terminals are those of POSIX"),
]


class Screen:
    """The output of a watching command, report by report. Each report has an end, so nothing waits for time."""

    def __init__(self, process: subprocess.Popen[bytes], handle: int) -> None:
        self.process = process
        self._handle = handle
        self._text = ""

    def report(self) -> str:
        """Return the next report."""
        while ENDED not in self._text:
            assert self._read(), f"it has ended, after {self._text!r}"
        report, _, self._text = self._text.partition(ENDED)
        return report[: -len("00:00:00 ")]

    def end(self) -> tuple[str, int]:
        """Return the output after Ctrl-C, and the exit status."""
        self.process.send_signal(signal.SIGINT)
        while self._read():
            pass
        return self._text, self.process.wait(60)

    def _read(self) -> bool:
        # so a terminal ends on Linux
        with suppress(OSError):
            piece = os.read(self._handle, 65536)
            self._text += piece.decode().replace("\r\n", "\n")
            return piece != b""
        return False


@contextmanager
def watching(folder: Path, *arguments: str, terminal: bool = False) -> Iterator[Screen]:
    """A command that watches a folder. Both streams come together."""
    import pty

    parent, child = pty.openpty() if terminal else os.pipe()
    process = subprocess.Popen(
        [*COMMAND, "check", "--watch", *arguments],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=child,
        stderr=child,
        env={**os.environ, "PYTHONUNBUFFERED": "1", "TERM": "xterm", "COLUMNS": "100"},
    )
    os.close(child)
    try:
        yield Screen(process, parent)
    finally:
        process.kill()
        process.wait()
        os.close(parent)


def put(file: Path, text: str) -> None:
    """Write a file at once: nobody sees half of it, or an empty one."""
    new = file.parent.parent / f"{file.name}.new"
    new.write_text(text, "utf-8")
    new.replace(file)


def lines(report: str) -> list[str]:
    """Return the lines of a report without the time of day."""
    return [line[9:] if line[2:3] == line[5:6] == ":" else line for line in report.splitlines()]


def test_a_change_is_checked_and_nothing_else_is_said(tmp_path: Path) -> None:
    put(tmp_path / "a.stf", GOOD)
    put(tmp_path / "b.stf", WRONG)
    wrong = "b.stf:3:1: error S001 Unexpected block comment end — no comment block is open; remove this line"
    with watching(tmp_path) as screen:
        assert lines(screen.report()) == ["checking", wrong, "2 files checked: 1 error"]
        put(tmp_path / "notes.txt", "nobody checks this")
        put(tmp_path / "a.stf", WRONG)
        assert lines(screen.report()) == [
            "a.stf has changed",
            wrong.replace("b.stf", "a.stf"),
            wrong,
            "2 files checked: 2 errors",
        ]
        (tmp_path / "b.stf").unlink()
        assert lines(screen.report())[::2] == ["b.stf has changed", "1 file checked: 1 error"]
        put(tmp_path / "a.stf", GOOD)
        assert lines(screen.report()) == ["a.stf has changed", "1 file checked: nothing found"]
        assert screen.end() == ("", 130)


def test_new_files_count_also_in_new_folders_and_those_that_git_ignores_do_not(tmp_path: Path) -> None:
    put(tmp_path / ".gitignore", "out/\n")
    (tmp_path / "out").mkdir()
    with watching(tmp_path) as screen:
        assert lines(screen.report())[1] == "0 files checked: nothing found"
        put(tmp_path / "out" / "a.stf", WRONG)
        (tmp_path / "made").mkdir()
        put(tmp_path / "made" / "b.stf", WRONG)
        found = screen.report()
        assert "a.stf" not in found
        assert lines(found)[::2] == [f"{Path('made', 'b.stf')} has changed", "1 file checked: 1 error"]
        put(tmp_path / ".gitignore", "made/\n")
        assert lines(screen.report())[-1] == "1 file checked: 1 error"


@pytest.mark.parametrize("where", [".", ".."])
def test_a_change_of_the_settings_is_a_change_of_all_files(where: str, tmp_path: Path) -> None:
    folder = tmp_path / "chats"
    folder.mkdir()
    put(folder / "a.stf", WRONG)
    settings = folder / where / "llmblocks.toml"
    with watching(folder) as screen:
        assert lines(screen.report())[-1] == "1 file checked: 1 error"
        put(settings, 'rules.ignore = ["S001"]\n')
        assert lines(screen.report()) == [f"{settings.resolve()} has changed", "1 file checked: nothing found"]
        put(settings, 'rules.ignore = ["S00"]\nrule = 1\n')
        told = screen.report()
        assert "warning C002 unknown setting rule" in told
        put(folder / "a.stf", GOOD)
        # the settings are not better than before
        assert "warning C002 unknown setting rule" in screen.report()
        settings.unlink()
        assert lines(screen.report())[-1] == "1 file checked: nothing found"


def test_a_file_that_an_editor_replaces_is_still_watched(tmp_path: Path) -> None:
    put(tmp_path / "a.stf", GOOD)
    put(tmp_path / "b.stf", GOOD)
    with watching(tmp_path, "a.stf") as screen:
        assert lines(screen.report())[-1] == "1 file checked: nothing found"
        for text, found in ((WRONG, "1 error"), (GOOD, "nothing found"), (WRONG, "1 error")):
            put(tmp_path / "a.stf", text)
            assert lines(screen.report())[-1] == f"1 file checked: {found}"
        (tmp_path / "a.stf").unlink()
        assert "a.stf: cannot be read: No such file" in screen.report()
        put(tmp_path / "a.stf", GOOD)
        assert lines(screen.report())[-1] == "1 file checked: nothing found"


def test_a_file_that_a_chat_embeds_may_are_added_and_removed_also_outside_of_what_is_watched(tmp_path: Path) -> None:
    chats = tmp_path / "chats"
    chats.mkdir()
    put(chats / "a.stf", "@user\n@embed type=image\n../images/a.png\n")
    put(chats / "b.stf", GOOD)
    with watching(chats) as screen:
        assert " S205 " in screen.report()
        (tmp_path / "images").mkdir()
        for _ in range(2):
            put(tmp_path / "images" / "a.png", "")
            report = screen.report()
            assert "a.png has changed" in report
            assert lines(report)[-1] == "2 files checked: nothing found"
            (tmp_path / "images" / "a.png").unlink()
            report = screen.report()
            assert "a.png has changed" in report
            assert " S205 " in report


def test_a_terminal_is_cleared_before_each_report(tmp_path: Path) -> None:
    put(tmp_path / "a.stf", WRONG)
    with watching(tmp_path, terminal=True) as screen:
        first = screen.report()
        assert first.count(CLEARED) == 1
        assert "^^^" in first
        put(tmp_path / "a.stf", GOOD)
        second = screen.report()
        assert second.count(CLEARED) == 1
        assert "a.stf has changed" in second
        rest, status = screen.end()
        assert (rest.replace("^C", ""), status) == ("", 130)


@pytest.mark.parametrize(
    "arguments", ["--fix", "--diff", "--output-file x", "--output-format json", "-", "--show-files"]
)
def test_what_a_watch_cannot_do_is_refused(arguments: str, tmp_path: Path) -> None:
    done = run(tmp_path, "check", "--watch", *arguments.split())
    assert (done.returncode, "error: --watch " in done.stderr) == (2, True)


@pytest.mark.parametrize(
    ("command", "package", "says"),
    [
        ("check --watch", "watchfiles", "llmblocks check: --watch needs the package watchfiles; {}[watch]'"),
        ("mcp", "mcp.server", "llmblocks mcp needs the package mcp; {}[mcp]'"),
    ],
)
def test_without_its_library_the_message_has_the_command_that_installs_it(
    command: str, package: str, says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    done = run(tmp_path, *command.split())
    assert done.stderr == says.format("install it with: pip install 'llmblocks") + "\n"
    assert done.returncode == 2
