"""`llmblocks check` of many files: other processes, the cache, and ends in the middle, through the real command."""

from __future__ import annotations

import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

import llmblocks
from llmblocks.cli.cache import sealed
from llmblocks.core.system import LINUX
from wire import PATIENCE_S

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
def test_processes_and_cache_change_nothing(output: str, tmp_path: Path) -> None:
    for number, file in enumerate(write_many(tmp_path, "@user\nfine\n")):
        if number % 7 == 0:
            file.write_text(WRONG * (1 + number % 3), "utf-8")
    (tmp_path / "0050.stf").write_bytes(b"\xff")
    # larger than what one process takes at once, and with more findings than are shown
    big = "!!!GADGET_START:A\n!!!ARG:a\n1\n!!!ARG:a\n2\n" * 120 + "x\n" * 200_000
    (tmp_path / "big.gadget").write_text(big, "utf-8")
    (tmp_path / "llmblocks.toml").write_text("diagnostics.maxPerDocument = 100\n", "utf-8")
    runs = [["--no-cache", "--jobs", "1"], ["--no-cache", "--jobs", "2"], ["--jobs", "2"], ["--jobs", "2"], ["-j1"]]
    found = [check(tmp_path, "--format", output, *run) for run in runs]
    assert {(each.returncode, each.stdout, each.stderr) for each in found} == {
        (2, found[0].stdout, found[0].stderr),
    }
    assert found[0].stdout.count("S001") > 15
    assert "140 more findings not shown" in found[0].stderr
    assert "100 files checked: " in found[0].stderr


def test_a_change_of_content_settings_or_rules_is_seen_in_spite_of_the_cache(tmp_path: Path) -> None:
    first, *_ = write_many(tmp_path, "@user\nfine\n")
    assert check(tmp_path).returncode == 0
    first.write_text(WRONG, "utf-8")
    assert check(tmp_path).stdout.startswith("0000.stf:3:1: error S001 ")
    assert check(tmp_path).stdout.startswith("0000.stf:3:1: error S001 ")
    assert check(tmp_path, "--ignore", "S001").returncode == 0
    (tmp_path / "llmblocks.toml").write_text('rules.severity = { S001 = "warning" }\n', "utf-8")
    assert check(tmp_path).stdout.startswith("0000.stf:3:1: warning S001 ")
    assert check(tmp_path, "--format", "full").stdout.count("^^^") == 1


def test_a_file_that_comes_is_seen_in_spite_of_the_cache(tmp_path: Path) -> None:
    write_many(tmp_path, "@user\n@embed type=image\na.png\n")
    assert check(tmp_path).stdout.startswith("0000.stf:3:1: warning S205 ")
    (tmp_path / "a.png").touch()
    assert check(tmp_path).returncode == 0
    (tmp_path / "a.png").unlink()
    assert check(tmp_path).returncode == 1


def test_what_is_in_the_cache_is_not_checked_again(tmp_path: Path) -> None:
    write_many(tmp_path, WRONG)
    assert "100 errors" in check(tmp_path).stderr
    with sqlite3.connect(tmp_path / ".llmblocks_cache" / "findings.sqlite3") as database:
        # all files have one content
        assert database.execute("SELECT count(*) FROM findings").fetchone() == (1,)
        for (key,) in database.execute("SELECT key FROM findings").fetchall():
            database.execute("UPDATE findings SET found = ?", (sealed(key, b""),))
    database.close()
    assert check(tmp_path).stderr == "100 files checked: nothing found\n"
    assert "100 errors" in check(tmp_path, "--no-cache").stderr


OPENED = """
import sys
opened = []
sys.addaudithook(lambda event, values: event == "open" and str(values[0]).endswith(".stf") and opened.append(values[0]))
from llmblocks.cli.commands import main
status = main(["check", "-j1"])
print(len(opened))
sys.exit(status)
"""


def test_a_file_that_has_not_changed_is_not_read_again(tmp_path: Path) -> None:
    files = write_many(tmp_path, WRONG)
    for file in files:
        # long ago, so that another change has another time
        os.utime(file, (1e9, 1e9))
    # of this one, two changes may have the same time
    os.utime(files[9], (4e9, 4e9))
    for opened in ("100", "1"):
        done = subprocess.run([sys.executable, "-c", OPENED], cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.stderr == "100 files checked: 100 errors\n"
        assert done.stdout.splitlines()[-1] == opened
    files[7].write_text(WRONG.replace("Hello", "World"), "utf-8")
    os.utime(files[8])
    done = subprocess.run([sys.executable, "-c", OPENED], cwd=tmp_path, capture_output=True, text=True, check=False)
    # two of them have the same content as before, the other one is read for the cache and for the check
    assert done.stdout.splitlines()[-1] == "4"


def test_a_change_that_keeps_the_size_and_the_time_is_seen(tmp_path: Path) -> None:
    files = write_many(tmp_path, WRONG)
    for file in files:
        os.utime(file, (1e9, 1e9))
    assert "100 errors" in check(tmp_path).stderr
    files[7].write_text(WRONG.replace("@*/", "@@*"), "utf-8")
    os.utime(files[7], (1e9, 1e9))
    assert "99 errors" in check(tmp_path).stderr


def test_a_change_of_the_code_of_a_checkout_is_seen_in_spite_of_the_cache(tmp_path: Path) -> None:
    package, texts = tmp_path / "server" / "llmblocks", tmp_path / "texts"
    shutil.copytree(Path(llmblocks.__file__).parent, package, ignore=shutil.ignore_patterns("__pycache__"))
    texts.mkdir()
    write_many(texts, WRONG)
    keys = []
    for _ in range(3):
        done = subprocess.run(
            COMMAND, cwd=texts, env={**os.environ, "PYTHONPATH": str(package.parent)}, capture_output=True, check=False
        )
        assert done.stderr == b"100 files checked: 100 errors\n"
        with sqlite3.connect(texts / ".llmblocks_cache" / "findings.sqlite3") as database:
            keys.append(database.execute("SELECT count(*) FROM findings").fetchone())
        database.close()
        (tmp_path / "pyproject.toml").touch()
        os.utime(package / "rules" / "checker.py", (2e9, 2e9 + len(keys)))
    # first, it is no checkout
    assert keys == [(1,), (2,), (3,)]


@pytest.mark.parametrize("damage", ["noise", "half", "rows", "folder", "file"])
def test_a_cache_that_cannot_be_used_is_no_reason_to_fail(damage: str, tmp_path: Path) -> None:
    write_many(tmp_path, WRONG)
    cache = tmp_path / ".llmblocks_cache"
    database = cache / "findings.sqlite3"
    if damage == "file":
        cache.write_text("not a folder", "utf-8")
    else:
        assert check(tmp_path).returncode == 1
    if damage == "noise":
        database.write_bytes(b"noise" * 1000)
    elif damage == "half":
        database.write_bytes(database.read_bytes()[:5000])
    elif damage == "folder":
        database.unlink()
        database.mkdir()
    elif damage == "rows":
        with sqlite3.connect(database) as opened:
            opened.execute("""UPDATE findings SET found = '[[["G1", 9, []]], 4]'""")
        opened.close()
    for _ in range(2):
        done = check(tmp_path)
        assert (done.returncode, done.stderr) == (1, "100 files checked: 100 errors\n")


def test_the_findings_of_logs_depend_on_the_files_beside_them(tmp_path: Path) -> None:
    for number in range(1, 101):
        text = CALL.format(name=f"r{number}", needs=f"r{number - 1}" if number > 1 else "")
        (tmp_path / f"{number:04}.response").write_text(text, "utf-8")
    assert [check(tmp_path, "-j2").stderr for _ in range(2)] == ["100 files checked: nothing found\n"] * 2
    (tmp_path / "0041.response").write_text(CALL.format(name="other", needs=""), "utf-8")
    # what waits for a call that never runs is skipped, up to the last one
    assert [line.split()[2] for line in check(tmp_path).stdout.splitlines()] == ["G111", *["G302"] * 58]


def loaded_of(late: set[str], folder: Path) -> str:
    """Those of some modules that a check of a folder loads."""
    code = (
        "import sys\nfrom llmblocks.cli.commands import main\nmain(['check', '-q'])\n"
        f"print(sorted({late!r} & {{*sys.modules}}))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, check=True)
    return done.stdout.splitlines()[-1]


def test_few_small_files_start_neither_processes_nor_a_cache(tmp_path: Path) -> None:
    write_many(tmp_path, WRONG, 5)
    assert loaded_of({"multiprocessing", "concurrent.futures", "sqlite3", "rich", "pathspec"}, tmp_path) == "[]"
    assert not (tmp_path / ".llmblocks_cache").exists()


def test_texts_without_mistakes_load_no_dataclasses(tmp_path: Path) -> None:
    """They load the modules that read Python's own code: a sixth of a run over few files."""
    (tmp_path / "a.stf").write_text("@user name=ada id=1\nWhat is <think>this</think>?\n@ai\nIt is a test.\n", "utf-8")
    call = "!!!GADGET_START:A:a1\n!!!ARG:x\n1\n!!!GADGET_END\n"
    (tmp_path / "b.gadget").write_text(f"{call}{call.replace('a1', 'a2:a1')}", "utf-8")
    assert loaded_of({"dataclasses", "inspect", "llmblocks.facts.finding"}, tmp_path) == "[]"


def test_a_run_of_which_the_cache_knows_all_loads_no_parser(tmp_path: Path) -> None:
    for file in write_many(tmp_path, "@user\nfine\n"):
        os.utime(file, (1_700_000_000, 1_700_000_000))
    check(tmp_path)
    engine = {"llmblocks.core.document", "llmblocks.rules.checker", "llmblocks.stf.scanner"}
    code = (
        "import sys\nfrom llmblocks.cli.commands import main\nmain(['check'])\n"
        f"print(sorted({engine!r} & {{*sys.modules}}))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("[]\n", "100 files checked: nothing found\n")


def test_processes_that_are_no_copies_find_the_same(tmp_path: Path) -> None:
    write_many(tmp_path, WRONG)
    code = (
        "import threading\nfrom llmblocks.cli.commands import main\n"
        "if __name__ == '__main__':\n"
        "    waits = threading.Event()\n    other = threading.Thread(target=waits.wait)\n    other.start()\n"
        "    main(['check', '--no-cache', '-j2'])\n    waits.set()\n"
    )
    script = tmp_path / "threaded.py"
    script.write_text(code, "utf-8")
    done = subprocess.run([sys.executable, script], cwd=tmp_path, capture_output=True, text=True, check=True)
    here = check(tmp_path, "--no-cache", "-j1")
    assert (done.stdout, done.stderr) == (here.stdout, here.stderr)


@posix
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_an_interrupt_ends_quietly(jobs: str, tmp_path: Path) -> None:
    write_many(tmp_path, WRONG * 20)
    with subprocess.Popen(
        [*COMMAND, "--format", "json", "--jobs", jobs],
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
        [*COMMAND, "--format", "json", "-j2"], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE
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
        [*COMMAND, "--format", "json", "-j2"], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as process:
        assert process.stdout is not None
        process.stdout.read(1)
        workers = psutil.Process(process.pid).children(recursive=True)
        process.kill()
    assert workers
    _, alive = psutil.wait_procs(workers, timeout=30)
    assert alive == []


@posix
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_no_signal_ends_a_process_in_the_middle_of_its_results(number: signal.Signals, tmp_path: Path) -> None:
    """The process that started it hears the signal of a group, and would wait for the rest of the results for ever."""
    write_many(tmp_path, WRONG * 20)
    with subprocess.Popen(
        [*COMMAND, "--format", "json", "-j2"], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        start = process.stdout.read(1)
        # where processes are no copies, Python has one more, which watches over their shared memory
        children = psutil.Process(process.pid).children(recursive=True)
        workers = [each for each in children if "resource_tracker" not in " ".join(each.cmdline())]
        assert len(workers) == 2
        for each in workers:
            each.send_signal(number)
        # there is more to come than a pipe holds: none has ended yet by itself
        gone, _ = psutil.wait_procs(workers, timeout=1)
        assert gone == []
        found = json.loads(start + process.stdout.read())
        assert process.stderr.read() != b""
    assert {each["path"] for each in found} == {path.name for path in tmp_path.iterdir() if path.suffix}
    assert process.returncode == 1


# one process is at work, and the other one sends more than anybody reads
_BUSY = """
import os, threading
from llmblocks.cli.workers import Workers

reader, writer = os.pipe()

def wait():
    os.write(writer, b"-")
    threading.Event().wait()

class Endless:
    def __reduce__(self):
        wait()

with Workers(lambda: lambda sends: Endless() if sends else wait(), 2) as workers:
    workers.do(True)
    workers.do(False)
    os.read(reader, 1)
    os.read(reader, 1)
    raise KeyboardInterrupt
"""


@pytest.mark.skipif(not LINUX, reason="elsewhere, no process is a copy of one that has what it works with")
def test_processes_that_work_or_send_results_end_with_an_interrupted_run() -> None:
    done = subprocess.run([sys.executable, "-c", _BUSY], capture_output=True, timeout=PATIENCE_S, check=False)
    assert done.returncode == -signal.SIGINT


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
        [*COMMAND, "--fix", "--format", "json", "--jobs", jobs],
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
        [*COMMAND, "--format", "json"], cwd=tmp_path, stdout=subprocess.PIPE, stderr=child
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
