"""`llmblocks check --fix`, `--unsafe-fixes` and `--diff`."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from llmblocks.cli.commands import main
from llmblocks.cli.output import Rewrite, rewrite
from llmblocks.cli.source import InputError

# the command as a process
pytestmark = pytest.mark.slow

SAFE = "@user\r\n\U0001f600 x\u2028y\rz\r\n@*/\r\nthere\r\n"
SAFE_FIXED = "@user\r\n\U0001f600 x\u2028y\rz\r\nthere\r\n"
UNSAFE = "!!!GADGET_START:Greet\n!!!ARG:name\nAda\n!!!ARG:name\nGrace\n!!!GADGET_END"


def written(path: Path, text: str) -> Path:
    path.write_bytes(text.encode())
    return path


def test_safe_fixes_are_made_in_the_file_byte_for_byte(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = written(tmp_path / "a.stf", SAFE)
    # the ends of its lines are a remark
    assert main(["check", "--fix", "--ignore", "S301", str(file)]) == 0
    assert file.read_bytes() == SAFE_FIXED.encode()
    assert capsys.readouterr() == ("", "1 file checked, 1 finding fixed: nothing left\n")


def test_a_file_with_nothing_to_fix_is_not_written(tmp_path: Path) -> None:
    file = written(tmp_path / "a.stf", "@user\nHi\n")
    before = file.stat()
    assert main(["check", "--fix", str(file)]) == 0
    assert (file.stat().st_ino, file.stat().st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


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
    again = written(tmp_path / "c.stf", SAFE_FIXED)
    assert main(["check", "--diff", str(again)]) == 0


def test_standard_input_goes_fixed_to_standard_output() -> None:
    command = [sys.executable, "-m", "llmblocks", "check", "--fix", "--language", "stf", "-"]
    found = subprocess.run(command, input=(SAFE + "@/* a\r\nb").encode(), capture_output=True, check=False)
    assert found.stdout == (SAFE_FIXED + "@/* a\r\nb").encode()
    assert b"-:5:1: error S002 " in found.stderr
    assert found.returncode == 1


@pytest.mark.skipif(os.name == "nt", reason="modes and links are those of POSIX")
def test_mode_and_link_are_kept_and_nothing_else_is_left_in_the_folder(tmp_path: Path) -> None:
    file = written(tmp_path / "a.stf", SAFE)
    file.chmod(0o640)
    link = tmp_path / "b.stf"
    link.symlink_to(file)
    assert main(["check", "--fix", str(link)]) == 0
    assert link.is_symlink()
    assert (file.read_bytes(), file.stat().st_mode & 0o777) == (SAFE_FIXED.encode(), 0o640)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.stf", "b.stf"]


def test_a_file_that_has_changed_meanwhile_is_left(tmp_path: Path) -> None:
    file = written(tmp_path / "a.stf", "new")
    with pytest.raises(InputError, match="has changed in the meantime"):
        rewrite(str(file), Rewrite.of("old", "new"), "fixed")
    assert file.read_text("utf-8") == "new"


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
