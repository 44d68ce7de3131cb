"""`llmblocks format`, and its `--check` and `--diff`."""

from __future__ import annotations

from pathlib import Path

from commands import run

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
