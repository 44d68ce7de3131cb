"""`llmblocks format`, and its `--check` and `--diff`."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

from llmblocks.cli.commands import main

UNTIDY = "@user  name='Jo' \r\n\U0001f600 x\u2028y\rz\r\n"
TIDY = '@user name="Jo"\r\n\U0001f600 x\u2028y\rz\r\n'


def written(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode())
    return path


def test_files_are_formatted_in_place(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    untidy, tidy = written(tmp_path / "a.stf", UNTIDY), written(tmp_path / "b.stf", TIDY)
    untidy.chmod(0o640)
    before = tidy.stat().st_ino
    assert main(["format", str(tmp_path)]) == 0
    assert (untidy.read_bytes(), tidy.read_bytes()) == (TIDY.encode(), TIDY.encode())
    assert (untidy.stat().st_mode & 0o777, tidy.stat().st_ino) == (0o640, before)
    assert capsys.readouterr() == ("", "1 file formatted, 1 file unchanged\n")


def test_standard_input_is_formatted_to_standard_output(
    capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(UNTIDY.encode())))
    assert main(["format", "-", "--language", "stf"]) == 0
    assert capfdbinary.readouterr().out == TIDY.encode()


def test_a_file_that_cannot_be_read_fails_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = written(tmp_path / "a.stf", UNTIDY)
    (tmp_path / "bad.stf").write_bytes(b"\xff")
    assert main(["format", str(tmp_path), str(tmp_path / "no.stf")]) == 2
    err = capsys.readouterr().err
    assert "bad.stf:1: not UTF-8" in err
    assert "no.stf: cannot be read" in err
    assert file.read_bytes() == TIDY.encode()
