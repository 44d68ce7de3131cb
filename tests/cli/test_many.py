"""`llmblocks check` of many files: other processes, and ends in the middle, through the real command."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

# the command as a process
pytestmark = pytest.mark.slow

CALL = "!!!GADGET_START:Read:{name}:{needs}\n!!!ARG:path\na.txt\n!!!GADGET_END\n"
WRONG = "@user\nHello\n@*/\n"
SAFE, SAFE_FIXED = f"{WRONG}there\n@/* open\n", "@user\nHello\nthere\n@/* open\n"
COMMAND = [sys.executable, "-m", "llmblocks", "check"]
posix = pytest.mark.skipif(os.name == "nt", reason="signals are those of POSIX")


def check(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*COMMAND, *arguments], cwd=folder, capture_output=True, text=True, encoding="utf-8", check=False
    )


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
    runs = [["--jobs", "1"], ["--jobs", "2"], ["--no-cache", "--cache-dir", "old"]]
    found = [check(tmp_path, "--output-format", output, *run) for run in runs]
    assert {(each.returncode, each.stdout, each.stderr) for each in found} == {(2, found[0].stdout, found[0].stderr)}
    assert found[0].stdout.count("S001") > 15
    assert "140 more findings not shown" in found[0].stderr
    assert "100 files checked: " in found[0].stderr


def test_the_findings_of_logs_depend_on_the_files_beside_them(tmp_path: Path) -> None:
    for number in range(1, 101):
        text = CALL.format(name=f"r{number}", needs=f"r{number - 1}" if number > 1 else "")
        (tmp_path / f"{number:04}.response").write_text(text, "utf-8")
    assert [check(tmp_path, "-j2").stderr for _ in range(2)] == ["100 files checked: nothing found\n"] * 2
    (tmp_path / "0041.response").write_text(CALL.format(name="other", needs=""), "utf-8")
    # what waits for a call that never runs is skipped, up to the last one
    assert [line.split()[2] for line in check(tmp_path).stdout.splitlines()] == ["G111", *["G302"] * 58]


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
    here = check(tmp_path, "-j1")
    assert (done.stdout, done.stderr) == (here.stdout, here.stderr)


@posix
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_an_interrupt_ends_quietly(jobs: str, tmp_path: Path) -> None:
    write_many(tmp_path, WRONG * 20)
    with subprocess.Popen(
        [*COMMAND, "--output-format", "json", "--jobs", jobs],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.read(1)
        # there is more to come than a pipe holds
        os.killpg(process.pid, signal.SIGINT)
        process.stdout.read()
        assert process.stderr.read() == b""
    assert process.returncode == 130


@posix
def test_a_reader_that_leaves_ends_it_quietly(tmp_path: Path) -> None:
    write_many(tmp_path, WRONG * 20)
    with subprocess.Popen(
        [*COMMAND, "--output-format", "json", "-j2"], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.read(1)
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 2


@posix
def test_processes_end_with_the_one_that_started_them(tmp_path: Path) -> None:
    write_many(tmp_path, WRONG * 20)
    with subprocess.Popen(
        [*COMMAND, "--output-format", "json", "-j2"], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as process:
        assert process.stdout is not None
        process.stdout.read(1)
        workers = psutil.Process(process.pid).children(recursive=True)
        process.kill()
    assert workers
    _, alive = psutil.wait_procs(workers, timeout=30)
    assert alive == []


@posix
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_a_process_that_a_signal_ends_loses_nothing(number: signal.Signals, tmp_path: Path) -> None:
    write_many(tmp_path, WRONG * 20, 200)
    with subprocess.Popen(
        [*COMMAND, "--output-format", "json", "-j2"], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        start = process.stdout.read(1)
        for each in psutil.Process(process.pid).children(recursive=True):
            # once one has ended, the others are ended, too
            with suppress(psutil.NoSuchProcess):
                each.send_signal(number)
        found = json.loads(start + process.stdout.read())
        assert process.stderr.read() == b"200 files checked: 4000 errors\n"
    assert {each["path"] for each in found} == {path.name for path in tmp_path.iterdir()}
    assert process.returncode == 1


@posix
@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.parametrize("read", [1, 20_000])
def test_a_kill_in_the_middle_of_fixes_loses_nothing(read: int, jobs: str, tmp_path: Path) -> None:
    many = SAFE.replace(WRONG, WRONG * 20)
    fixed = SAFE_FIXED.replace("@user\nHello\n", "@user\nHello\n" * 20)
    files = write_many(tmp_path, many + "@ai\n" + "@user id=1 id=2\n" * 30, 300)
    wrong = files[0].read_text("utf-8")
    right = wrong.replace(many, fixed)
    with subprocess.Popen(
        [*COMMAND, "--fix", "--output-format", "json", "--jobs", jobs],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    ) as process:
        assert process.stdout is not None
        process.stdout.read(read)
        os.killpg(process.pid, signal.SIGKILL)
    assert process.returncode == -signal.SIGKILL
    texts = [file.read_text("utf-8") for file in files]
    assert {*texts} == {wrong, right}
    assert check(tmp_path, "--fix", "--quiet").returncode == 1
    assert {file.read_text("utf-8") for file in files} == {right}


def test_fixes_of_many_files_are_counted(tmp_path: Path) -> None:
    files = write_many(tmp_path, WRONG)
    assert check(tmp_path, "--diff", "-j2").stdout.count("-@*/") == 100
    done = check(tmp_path, "--fix", "-j2")
    assert (done.returncode, done.stderr) == (0, "100 files checked, 100 findings fixed: nothing left\n")
    assert {file.read_text("utf-8") for file in files} == {"@user\nHello\n"}


def test_a_terminal_sees_progress_that_leaves_nothing_behind(tmp_path: Path) -> None:
    pty = pytest.importorskip("pty")
    write_many(tmp_path, WRONG, 400)
    parent, child = pty.openpty()
    with subprocess.Popen(
        [*COMMAND, "--output-format", "json"], cwd=tmp_path, stdout=subprocess.PIPE, stderr=child
    ) as process:
        os.close(child)
        assert process.stdout is not None
        assert len(json.loads(process.stdout.read())) == 400
        shown = b""
        while piece := _read(parent):
            shown += piece
    os.close(parent)
    assert shown.rstrip().endswith(b"400 files checked: 400 errors")


def _read(handle: int) -> bytes:
    try:
        return os.read(handle, 65536)
    except OSError:
        # so a terminal ends on Linux
        return b""
