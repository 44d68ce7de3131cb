"""The inputs that `llmblocks check` reads, and those that it rejects."""

from __future__ import annotations

import json
import os
from pathlib import Path
from threading import Thread

from commands import run

DUPLICATE = "!!!GADGET_START:Greet\n!!!ARG:name\nAda\n!!!ARG:name\nGrace\n!!!GADGET_END\n"
THREE = "@user\nHello\n" + "@*/\n" * 3


def test_what_is_not_a_regular_file_is_skipped_in_a_folder(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.gadget")
    (tmp_path / "b.gadget").symlink_to("/dev/zero")
    (tmp_path / "c.gadget").write_text(DUPLICATE, "utf-8")
    (tmp_path / "d.gadget").symlink_to("none")
    done = run(tmp_path, "check")
    assert (done.returncode, done.stdout.count("\n")) == (2, 1)
    assert "d.gadget: cannot be read: No such file" in done.stderr
    assert "1 file checked: 1 error; 1 file could not be checked" in done.stderr


def test_a_device_that_is_named_is_read_up_to_the_limit(tmp_path: Path) -> None:
    done = run(tmp_path, "check", "--language", "stf", "/dev/zero")
    assert (done.returncode, "/dev/zero: larger than 50 MB; raise files.maxSizeMB in" in done.stderr) == (2, True)
    assert run(tmp_path, "check", "--language", "stf", "/dev/null").returncode == 0


def test_a_pipe_that_nothing_writes_to_is_an_error(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.gadget")
    done = run(tmp_path, "check", "a.gadget")
    assert (done.returncode, "a.gadget: cannot be read: nothing writes to this pipe" in done.stderr) == (2, True)


def test_a_pipe_is_read_when_its_writer_comes(tmp_path: Path) -> None:
    pipe = tmp_path / "a.gadget"
    os.mkfifo(pipe)
    # it waits for a reader
    writer = Thread(target=pipe.write_text, args=(DUPLICATE,))
    writer.start()
    done = run(tmp_path, "check", "a.gadget")
    writer.join()
    assert (done.returncode, "G101" in done.stdout) == (1, True)


def test_a_file_larger_than_the_settings_allow_is_not_checked(tmp_path: Path) -> None:
    (tmp_path / "llmblocks.toml").write_text("files.maxSizeMB = 0.00002\n", "utf-8")
    (tmp_path / "a.stf").write_text("@user\n" + "é" * 7, "utf-8")
    assert run(tmp_path, "check").returncode == 0
    (tmp_path / "a.stf").write_text("@user\n" + "é" * 8, "utf-8")
    done = run(tmp_path, "check")
    assert (done.returncode, "a.stf: larger than 2e-05 MB" in done.stderr) == (2, True)
    assert run(tmp_path, "check", "--language", "stf", "-", sent="@user\n" + "x" * 15).returncode == 2


def test_the_findings_of_all_rows_are_limited_together(tmp_path: Path) -> None:
    (tmp_path / "llmblocks.toml").write_text("diagnostics.maxPerDocument = 2\n", "utf-8")
    row = json.dumps({"messages": [{"role": "assistant", "content": DUPLICATE}]})
    (tmp_path / "a.jsonl").write_text(f"{row}\n" * 3, "utf-8")
    done = run(tmp_path, "check", "a.jsonl")
    assert (done.returncode, done.stdout.count("\n")) == (1, 2)
    assert "a.jsonl: 1 more finding not shown (diagnostics.maxPerDocument)" in done.stderr


def test_settings_do_not_depend_on_the_working_directory(tmp_path: Path) -> None:
    inner, folders = tmp_path / "a" / "b", (tmp_path, tmp_path / "a" / "b", Path("/"))
    inner.mkdir(parents=True)
    (inner / "a.stf").write_text(THREE, "utf-8")
    (tmp_path / "llmblocks.toml").write_text('rules.ignore = ["S"]\n', "utf-8")
    for folder in folders:
        assert run(folder, "check", str(inner / "a.stf")).returncode == 0
        assert run(folder, "check", os.path.relpath(inner, folder)).returncode == 0
    (tmp_path / "a" / ".hg").mkdir()
    for folder in folders:
        assert run(folder, "check", str(inner / "a.stf")).returncode == 1
