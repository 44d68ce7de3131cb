"""`llmblocks format`, and `llmblocks check` with `--fix`, `--unsafe-fixes` and `--diff`."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from commands import COMMAND, run, run_process

BODY = "\r\n\U0001f600 x\u2028y\rz\r\n"
SAFE, SAFE_FIXED = f"@user{BODY}@*/\r\nthere\r\n", f"@user{BODY}there\r\n"
UNSAFE = "!!!GADGET_START:Greet\n!!!ARG:name\nAda\n!!!ARG:name\nGrace\n!!!GADGET_END"


def written(path: Path, text: str) -> Path:
    path.write_bytes(text.encode())
    return path


@pytest.mark.parametrize(
    ("command", "before", "after", "says"),
    [
        ("format", f"@user  name='Jo' {BODY}", f'@user name="Jo"{BODY}', "1 file formatted, 1 file unchanged\n"),
        # the ends of its lines are a remark
        ("check --fix --ignore S301", SAFE, SAFE_FIXED, "2 files checked, 1 finding fixed: nothing left\n"),
    ],
    ids=["format", "fix"],
)
@pytest.mark.skipif(os.name == "nt", reason="modes and links are those of POSIX")
def test_files_are_changed_in_place_byte_for_byte(
    command: str, before: str, after: str, says: str, tmp_path: Path
) -> None:
    file, good = written(tmp_path / "a.stf", before), written(tmp_path / "b.stf", after)
    file.chmod(0o640)
    (tmp_path / "link.stf").symlink_to(file)
    old = good.stat()
    done = run(tmp_path, *command.split(), "link.stf", "b.stf")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", says)
    assert (file.read_bytes(), file.stat().st_mode & 0o777) == (after.encode(), 0o640)
    # a file with nothing to change is not written
    assert (good.stat().st_ino, good.stat().st_mtime_ns) == (old.st_ino, old.st_mtime_ns)
    assert sorted(path.name for path in tmp_path.iterdir() if not path.is_symlink()) == ["a.stf", "b.stf"]
    done = run(tmp_path, *command.split(), "-", "--language", "stf", sent=before)
    assert (done.returncode, done.stdout) == (0, after)


@pytest.mark.slow
def test_a_diff_changes_nothing_and_can_be_applied(tmp_path: Path) -> None:
    written(tmp_path / "a.stf", SAFE)
    written(tmp_path / "b.gadget", UNSAFE)
    found = run_process(tmp_path, "check", "--diff", "--unsafe-fixes", "a.stf", "b.gadget")
    assert found.returncode == 1
    assert found.stderr == b"2 files checked: 3 findings to fix" + os.linesep.encode()
    assert (tmp_path / "a.stf").read_bytes() == SAFE.encode()
    assert b"-@*/\r\n" in found.stdout
    assert b"\\ No newline at end of file\n" in found.stdout
    if shutil.which("patch"):
        subprocess.run(["patch", "-p0", "--binary"], cwd=tmp_path, input=found.stdout, check=True, capture_output=True)
        assert (tmp_path / "a.stf").read_bytes() == SAFE_FIXED.replace("\r\n", "\n").encode()
    written(tmp_path / "c.stf", SAFE_FIXED)
    assert run(tmp_path, "check", "--diff", "c.stf").returncode == 0


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no limits for the size of files")
def test_a_file_that_cannot_be_written_is_reported_and_stays(tmp_path: Path) -> None:
    import resource

    file = written(tmp_path / "a.stf", SAFE)
    # as on a full disk: no file may grow past 5 bytes
    done = subprocess.run(
        [*COMMAND, "check", "--fix", str(file)],
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (5, 5)),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, f"{file}: not fixed: File too large" in done.stderr) == (2, True)
    assert [(path, path.read_bytes()) for path in tmp_path.iterdir()] == [(file, SAFE.encode())]
