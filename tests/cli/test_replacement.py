"""The replacement of files."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from pathlib import Path

import pytest

from llmblocks.cli.commands import main
from llmblocks.cli.output import replacement


def test_a_file_is_replaced_when_all_has_been_written(tmp_path: Path) -> None:
    file = tmp_path / "a"
    file.write_bytes(b"old")
    with replacement(str(file)) as out:
        out.write(b"new")
        out.flush()
        assert file.read_bytes() == b"old"
    assert file.read_bytes() == b"new"
    assert os.listdir(tmp_path) == ["a"]


def test_an_error_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    file = tmp_path / "a"
    file.write_bytes(b"old")
    with suppress(KeyboardInterrupt), replacement(str(file)) as out:
        out.write(b"new")
        raise KeyboardInterrupt
    assert file.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["a"]


def test_a_file_keeps_its_names(tmp_path: Path) -> None:
    file, other = tmp_path / "a.stf", tmp_path / "b.stf"
    file.write_text("@user\nHi\n@*/\n", "utf-8")
    os.link(file, other)
    assert main(["check", "--fix", str(file), str(other)]) == 0
    assert file.read_text("utf-8") == "@user\nHi\n"
    assert (os.stat(file).st_ino, os.stat(file).st_nlink) == (os.stat(other).st_ino, 2)
    assert sorted(os.listdir(tmp_path)) == ["a.stf", "b.stf"]


@pytest.mark.skipif(os.name == "nt", reason="modes and links are those of POSIX")
def test_a_new_file_has_the_mode_that_others_get(tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.touch()
    with replacement(str(tmp_path / "a")) as out:
        out.write(b"new")
    assert (tmp_path / "a").stat().st_mode == other.stat().st_mode


@pytest.mark.skipif(os.name == "nt", reason="devices are those of POSIX")
def test_a_device_is_written_directly() -> None:
    with replacement(os.devnull) as out:
        out.write(b"new")
    assert stat.S_ISCHR(os.stat(os.devnull).st_mode)
