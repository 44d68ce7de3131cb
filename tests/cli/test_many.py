"""`llmblocks check` of many files: other processes, and ends in the middle, through the real command."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

import psutil
import pytest

from commands import COMMAND, run_process

# the command as a process
pytestmark = pytest.mark.slow

CALL = "!!!GADGET_START:Read:{name}:{needs}\n!!!ARG:path\na.txt\n!!!GADGET_END\n"
WRONG = "@user\nHello\n@*/\n"
posix = pytest.mark.skipif(os.name == "nt", reason="signals are those of POSIX")


def check(folder: Path, *arguments: str) -> tuple[int, str, str]:
    done = run_process(folder, "check", *arguments)
    return done.returncode, done.stdout.decode("utf-8"), done.stderr.decode("utf-8")


@contextmanager
def checking(folder: Path, *arguments: str) -> Iterator[tuple[subprocess.Popen[bytes], IO[bytes], IO[bytes]]]:
    """Start a command in a separate process group; yield it with its pipes once it writes its findings as JSON."""
    command = [*COMMAND, "check", "--output-format", "json", *arguments]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, cwd=folder, stdout=pipe, stderr=pipe, start_new_session=True) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        # there is more to come than a pipe holds
        assert process.stdout.read(1) == b"["
        yield process, process.stdout, process.stderr


def write_many(folder: Path, text: str, count: int = 100) -> list[Path]:
    files = [folder / f"{number:04}.stf" for number in range(count)]
    for file in files:
        file.write_text(text, "utf-8")
    return files


@pytest.mark.parametrize("output", ["full", "json"])
def test_processes_change_nothing(output: str, tmp_path: Path) -> None:
    for number, file in enumerate(write_many(tmp_path, "@user\nfine\n")):
        if number % 7 == 0:
            file.write_text(WRONG * (1 + number % 3), "utf-8")
    (tmp_path / "0050.stf").write_bytes(b"\xff")
    # larger than what one process takes at once, and with more findings than are shown
    big = "!!!GADGET_START:A\n!!!ARG:a\n1\n!!!ARG:a\n2\n" * 120 + "x\n" * 200_000
    (tmp_path / "big.gadget").write_text(big, "utf-8")
    (tmp_path / "llmblocks.toml").write_text("diagnostics.maxPerDocument = 100\n", "utf-8")
    runs = [["--jobs", "1"], ["--jobs", "2"], []]
    ((status, out, err),) = {check(tmp_path, "--output-format", output, *run) for run in runs}
    assert (status, out.count("S001") > 15) == (2, True)
    assert "140 more findings not shown" in err
    assert "100 files checked: " in err


def test_the_findings_of_logs_depend_on_the_files_beside_them(tmp_path: Path) -> None:
    for number in range(1, 101):
        text = CALL.format(name=f"r{number}", needs=f"r{number - 1}" if number > 1 else "")
        (tmp_path / f"{number:04}.response").write_text(text, "utf-8")
    assert check(tmp_path, "-j2")[2] == "100 files checked: nothing found\n"
    (tmp_path / "0041.response").write_text(CALL.format(name="other", needs=""), "utf-8")
    # what waits for a call that never runs is skipped, up to the last one
    assert [line.split()[2] for line in check(tmp_path)[1].splitlines()] == ["G111", *["G302"] * 58]


COUNTING = """
import os, sys
out = os.open({out!r}, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
sys.addaudithook(lambda event, values: event == "open" and str(values[0]).endswith((".response", ".request"))
                 and os.write(out, f"{{values[0]}}\\n".encode()))
"""


@pytest.mark.parametrize("command", ["check --jobs 2 logs", "report -j1 logs"])
def test_the_files_of_a_session_are_read_once_for_findings_and_once_for_outcomes(command: str, tmp_path: Path) -> None:
    """Processes do not share a session: one that checks some of its files would read the names of all."""
    for session in range(4):
        for number in range(1, 61):
            file = tmp_path / "logs" / str(session) / f"{number:04}.response"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(CALL.format(name=f"r{number}", needs=""), "utf-8")
            file.with_suffix(".request").write_text("=== USER ===\nbegin\n", "utf-8")
    opened = tmp_path / "opened"
    (tmp_path / "sitecustomize.py").write_text(COUNTING.format(out=str(opened)), "utf-8")
    assert run_process(tmp_path, *command.split(), PYTHONPATH=str(tmp_path)).returncode in (0, 1)
    reads = Counter(opened.read_text("utf-8").splitlines())
    assert (len(reads), {*reads.values()}) == (480, {2})


def test_processes_that_are_no_copies_find_the_same(tmp_path: Path) -> None:
    write_many(tmp_path, WRONG)
    code = (
        "import threading\nfrom llmblocks.cli.commands import main\n"
        "if __name__ == '__main__':\n"
        "    waits = threading.Event()\n    other = threading.Thread(target=waits.wait)\n    other.start()\n"
        "    main(['check', '-j2'])\n    waits.set()\n"
    )
    script = tmp_path / "threaded.py"
    script.write_text(code, "utf-8")
    done = subprocess.run([sys.executable, script], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == check(tmp_path, "-j1")[1:]


@posix
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_an_interrupt_ends_quietly(jobs: str, tmp_path: Path) -> None:
    write_many(tmp_path, WRONG * 20)
    with checking(tmp_path, "--jobs", jobs) as (process, out, err):
        os.killpg(process.pid, signal.SIGINT)
        out.read()
        assert err.read() == b""
    assert process.returncode == 130


@posix
def test_a_reader_that_leaves_ends_it_quietly(tmp_path: Path) -> None:
    write_many(tmp_path, WRONG * 20)
    with checking(tmp_path, "-j2") as (process, out, err):
        out.close()
        assert err.read() == b""
    assert process.returncode == 2


@posix
def test_processes_end_with_the_one_that_started_them(tmp_path: Path) -> None:
    write_many(tmp_path, WRONG * 20)
    with checking(tmp_path, "-j2") as (process, _, _):
        workers = psutil.Process(process.pid).children(recursive=True)
        process.kill()
    assert workers
    assert psutil.wait_procs(workers, timeout=30)[1] == []


@posix
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_a_process_that_a_signal_ends_loses_nothing(number: signal.Signals, tmp_path: Path) -> None:
    files = write_many(tmp_path, WRONG * 20, 200)
    with checking(tmp_path, "-j2") as (process, out, err):
        for each in psutil.Process(process.pid).children(recursive=True):
            # once one has ended, the others are ended, too
            with suppress(psutil.NoSuchProcess):
                each.send_signal(number)
        found = json.loads(b"[" + out.read())
        assert err.read() == b"200 files checked: 4000 errors\n"
    assert {each["path"] for each in found} == {path.name for path in files}
    assert process.returncode == 1


@posix
@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.parametrize("whole", [True, False], ids=["the group", "the first process"])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL])
def test_a_signal_in_the_middle_of_fixes_loses_nothing_and_leaves_nothing(
    number: signal.Signals, whole: bool, jobs: str, tmp_path: Path
) -> None:
    wrong = WRONG * 20 + "@ai\n" + "@user id=1 id=2\n" * 30
    right = wrong.replace("@*/\n", "")
    files = write_many(tmp_path, wrong, 300)
    with checking(tmp_path, "--fix", "--jobs", jobs) as (process, out, _):
        # files are being written when their findings come
        out.read(20_000 if number == signal.SIGKILL else 1)
        (os.killpg if whole else os.kill)(process.pid, number)
        out.read()
    assert process.returncode == (130 if number == signal.SIGINT else -number)
    assert {file.read_text("utf-8") for file in files} == {wrong, right}
    if number == signal.SIGKILL:
        assert check(tmp_path, "--fix", "--quiet")[0] == 1
        assert {file.read_text("utf-8") for file in files} == {right}
    else:
        assert sorted(tmp_path.iterdir()) == files


def test_fixes_of_many_files_are_counted(tmp_path: Path) -> None:
    files = write_many(tmp_path, WRONG)
    assert check(tmp_path, "--diff", "-j2")[1].count("-@*/") == 100
    assert check(tmp_path, "--fix", "-j2") == (0, "", "100 files checked, 100 findings fixed: nothing left\n")
    assert {file.read_text("utf-8") for file in files} == {"@user\nHello\n"}


def test_a_terminal_sees_progress_that_leaves_nothing_behind(tmp_path: Path) -> None:
    pty = pytest.importorskip("pty")
    write_many(tmp_path, WRONG, 400)
    parent, child = pty.openpty()
    with subprocess.Popen(
        [*COMMAND, "check", "--output-format", "json"], cwd=tmp_path, stdout=subprocess.PIPE, stderr=child
    ) as process:
        os.close(child)
        assert process.stdout is not None
        assert len(json.loads(process.stdout.read())) == 400
        shown = b""
        # so a terminal ends on Linux
        with suppress(OSError):
            while piece := os.read(parent, 65536):
                shown += piece
    os.close(parent)
    assert shown.rstrip().endswith(b"400 files checked: 400 errors")
