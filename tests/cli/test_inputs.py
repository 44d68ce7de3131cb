"""The inputs that `llmblocks check` reads, and those that it rejects."""

from __future__ import annotations

import io
import json
import os
import sys
from pathlib import Path
from threading import Thread
from types import SimpleNamespace

import pytest

from llmblocks.cli.commands import main

DUPLICATE = "!!!GADGET_START:Greet\n!!!ARG:name\nAda\n!!!ARG:name\nGrace\n!!!GADGET_END\n"
THREE = "@user\nHello\n" + "@*/\n" * 3


def test_what_is_not_a_regular_file_is_skipped_in_a_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    os.mkfifo(tmp_path / "a.gadget")
    (tmp_path / "b.gadget").symlink_to("/dev/zero")
    (tmp_path / "c.gadget").write_text(DUPLICATE, encoding="utf-8")
    (tmp_path / "d.gadget").symlink_to("none")
    assert main(["check", str(tmp_path)]) == 2
    out, err = capsys.readouterr()
    assert out.count("\n") == 1
    assert f"{tmp_path / 'd.gadget'}: cannot be read: No such file" in err
    assert "1 file checked: 1 error; 1 file could not be checked" in err


def test_a_device_that_is_named_is_read_up_to_the_limit(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--language", "stf", "/dev/zero"]) == 2
    assert "/dev/zero: larger than 50 MB; raise files.maxSizeMB in llmblocks.toml" in capsys.readouterr().err
    assert main(["check", "--language", "stf", "/dev/null"]) == 0


def test_a_pipe_that_nothing_writes_to_is_an_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    os.mkfifo(tmp_path / "a.gadget")
    assert main(["check", str(tmp_path / "a.gadget")]) == 2
    assert "a.gadget: cannot be read: nothing writes to this pipe" in capsys.readouterr().err


def test_a_pipe_is_read_when_its_writer_comes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pipe = tmp_path / "a.gadget"
    os.mkfifo(pipe)
    # it waits for a reader
    writer = Thread(target=pipe.write_text, args=(DUPLICATE,))
    writer.start()
    assert main(["check", str(pipe)]) == 1
    writer.join()
    assert "G101" in capsys.readouterr().out


def test_a_file_larger_than_the_settings_allow_is_not_checked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "llmblocks.toml").write_text("files.maxSizeMB = 0.00002\n", encoding="utf-8")
    (tmp_path / "a.stf").write_text("@user\n" + "é" * 7, encoding="utf-8")
    assert main(["check", str(tmp_path)]) == 0
    (tmp_path / "a.stf").write_text("@user\n" + "é" * 8, encoding="utf-8")
    assert main(["check", str(tmp_path)]) == 2
    assert "a.stf: larger than 2e-05 MB" in capsys.readouterr().err
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(b"@user\n" + b"x" * 15)))
    assert main(["check", "--language", "stf", "-"]) == 2


def test_the_findings_of_all_rows_are_limited_together(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "llmblocks.toml").write_text("diagnostics.maxPerDocument = 2\n", encoding="utf-8")
    row = json.dumps({"messages": [{"role": "assistant", "content": DUPLICATE}]})
    (tmp_path / "a.jsonl").write_text(f"{row}\n" * 3, encoding="utf-8")
    assert main(["check", str(tmp_path / "a.jsonl")]) == 1
    out, err = capsys.readouterr()
    assert out.count("\n") == 2
    assert f"{tmp_path / 'a.jsonl'}: 1 more finding not shown (diagnostics.maxPerDocument)" in err


def test_settings_do_not_depend_on_the_working_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    (inner / "a.stf").write_text(THREE, encoding="utf-8")
    (tmp_path / "llmblocks.toml").write_text('rules.ignore = ["S"]\n', encoding="utf-8")
    for folder in (tmp_path, inner, Path("/")):
        monkeypatch.chdir(folder)
        assert main(["check", str(inner / "a.stf")]) == 0
        assert main(["check", os.path.relpath(inner)]) == 0
    (tmp_path / "a" / ".hg").mkdir()
    for folder in (tmp_path, inner, Path("/")):
        monkeypatch.chdir(folder)
        assert main(["check", str(inner / "a.stf")]) == 1
