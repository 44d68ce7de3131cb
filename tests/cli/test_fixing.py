"""`llmblocks format`, and `llmblocks check` with `--fix`, `--unsafe-fixes` and `--diff`."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from commands import run
from llmblocks.cli.output import Rewrite, rewrite
from llmblocks.cli.source import InputError

UNTIDY = "@user  name='Jo' \r\n\U0001f600 x\u2028y\rz\r\n"
TIDY = '@user name="Jo"\r\n\U0001f600 x\u2028y\rz\r\n'


def written(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode())
    return path


def test_files_are_formatted_in_place(tmp_path: Path) -> None:
    untidy, tidy = written(tmp_path / "a.stf", UNTIDY), written(tmp_path / "b.stf", TIDY)
    untidy.chmod(0o640)
    before = tidy.stat().st_ino
    done = run(tmp_path, "format")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "1 file formatted, 1 file unchanged\n")
    assert (untidy.read_bytes(), tidy.read_bytes()) == (TIDY.encode(), TIDY.encode())
    assert (untidy.stat().st_mode & 0o777, tidy.stat().st_ino) == (0o640, before)


def test_standard_input_is_formatted_to_standard_output(tmp_path: Path) -> None:
    done = run(tmp_path, "format", "-", "--language", "stf", sent=UNTIDY)
    assert (done.returncode, done.stdout) == (0, TIDY)


def test_a_file_that_cannot_be_read_fails_alone(tmp_path: Path) -> None:
    file = written(tmp_path / "a.stf", UNTIDY)
    (tmp_path / "bad.stf").write_bytes(b"\xff")
    done = run(tmp_path, "format", ".", "no.stf")
    assert (done.returncode, file.read_bytes()) == (2, TIDY.encode())
    assert "bad.stf:1: not UTF-8" in done.stderr
    assert "no.stf: cannot be read" in done.stderr


SAFE = "@user\r\n\U0001f600 x\u2028y\rz\r\n@*/\r\nthere\r\n"
SAFE_FIXED = "@user\r\n\U0001f600 x\u2028y\rz\r\nthere\r\n"
UNSAFE = "!!!GADGET_START:Greet\n!!!ARG:name\nAda\n!!!ARG:name\nGrace\n!!!GADGET_END"


def test_safe_fixes_are_made_in_the_file_byte_for_byte(tmp_path: Path) -> None:
    file = written(tmp_path / "a.stf", SAFE)
    # the ends of its lines are a remark
    done = run(tmp_path, "check", "--fix", "--ignore", "S301")
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr == "1 file checked, 1 finding fixed: nothing left\n"
    assert file.read_bytes() == SAFE_FIXED.encode()


def test_a_file_with_nothing_to_fix_is_not_written(tmp_path: Path) -> None:
    file = written(tmp_path / "a.stf", "@user\nHi\n")
    before = file.stat()
    assert run(tmp_path, "check", "--fix").returncode == 0
    assert (file.stat().st_ino, file.stat().st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


@pytest.mark.slow
def test_a_diff_changes_nothing_and_can_be_applied(tmp_path: Path) -> None:
    written(tmp_path / "a.stf", SAFE)
    written(tmp_path / "b.gadget", UNSAFE)
    command = [sys.executable, "-m", "llmblocks", "check", "--diff", "--unsafe-fixes", "a.stf", "b.gadget"]
    found = subprocess.run(command, cwd=tmp_path, capture_output=True, check=False)
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


def test_standard_input_goes_fixed_to_standard_output(tmp_path: Path) -> None:
    done = run(tmp_path, "check", "--fix", "--language", "stf", "-", sent=f"{SAFE}@/* a\r\nb")
    assert (done.returncode, done.stdout) == (1, f"{SAFE_FIXED}@/* a\r\nb")
    assert "-:5:1: error S002 " in done.stderr


@pytest.mark.skipif(os.name == "nt", reason="modes and links are those of POSIX")
def test_mode_and_link_are_kept_and_nothing_else_is_left_in_the_folder(tmp_path: Path) -> None:
    file = written(tmp_path / "a.stf", SAFE)
    file.chmod(0o640)
    link = tmp_path / "b.stf"
    link.symlink_to(file)
    assert run(tmp_path, "check", "--fix", "b.stf").returncode == 0
    assert link.is_symlink()
    assert (file.read_bytes(), file.stat().st_mode & 0o777) == (SAFE_FIXED.encode(), 0o640)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.stf", "b.stf"]


def test_a_file_that_has_changed_meanwhile_is_left(tmp_path: Path) -> None:
    file = written(tmp_path / "a.stf", "new")
    with pytest.raises(InputError, match="has changed in the meantime"):
        rewrite(str(file), Rewrite.of("old", "new"), "fixed")
    assert file.read_text("utf-8") == "new"


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no limits for the size of files")
def test_a_file_that_cannot_be_written_is_reported_and_stays(tmp_path: Path) -> None:
    import resource

    file = written(tmp_path / "a.stf", SAFE)
    # as on a full disk: no file may grow past 5 bytes
    done = subprocess.run(
        [sys.executable, "-m", "llmblocks", "check", "--fix", str(file)],
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (5, 5)),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, f"{file}: not fixed: File too large" in done.stderr) == (2, True)
    assert [(path, path.read_bytes()) for path in tmp_path.iterdir()] == [(file, SAFE.encode())]


def test_a_file_that_is_gone_is_reported(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="not fixed: No such file"):
        rewrite(str(tmp_path / "a.stf"), Rewrite.of("", "x"), "fixed")
