"""`llmblocks check`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from commands import run
from llmblocks.languages.registry import language_of

STRAY_END = "@user\nHello\n@*/\n"


def test_a_column_counts_characters_and_a_line_ends_as_in_an_editor(tmp_path: Path) -> None:
    text = "é\rsome text\u2028🎉\r\n!!!GADGET_START:A\n!!!ARG:🎉é/0\n1\n!!!ARG:🎉é/5\n2\n!!!GADGET_END\n"
    (tmp_path / "a.gadget").write_bytes(text.encode())
    # the lone carriage return is a line end, U+2028 is not one
    assert run(tmp_path, "check").stdout.startswith("a.gadget:6:11: error G102 ")


@pytest.mark.parametrize(
    ("pointer", "shown", "columns"), [("\x1b[2Jx", "\\x1b[2Jx", 5), ("a\u2028b\u2029c", "a\\u2028b\\u2029c", 5)]
)
def test_no_character_is_lost_between_file_and_rules(pointer: str, shown: str, columns: int, tmp_path: Path) -> None:
    text = "!!!GADGET_START:A\n" + f"!!!ARG:{pointer}\n1\n" * 2 + "!!!GADGET_END\n"
    (tmp_path / "a.gadget").write_text(text, "utf-8", newline="\n")
    (found,) = json.loads(run(tmp_path, "check", "--output-format", "json").stdout)
    assert (found["column"], found["endColumn"]) == (8, 8 + columns)
    done = run(tmp_path, "check")
    assert (done.returncode, f"Duplicate pointer: {shown} — " in done.stdout) == (1, True)


@pytest.mark.parametrize(
    ("name", "language"),
    [
        ("a.gadget", "gadget"),
        ("a.STF", "stf"),
        ("a.blocks", "custom-blocks"),
        ("/home/ada/.llmist/logs/brave-otter/0001.response", "gadget"),
        ("/home/ada/.llmist/logs/0001.request", "request"),
        ("/home/ada/.llmist/logs/brave-otter/notes.response", "gadget"),
        ("/home/ada/.llmist/logs/brave-otter/0003-search_1/0001.response", "gadget"),
        ("/home/ada/logs/0001.response", "gadget"),
        ("/home/ada/logs/0003-search_1/12.REQUEST", "request"),
        ("7.response", "gadget"),
        ("/home/ada/logs/a1.response", None),
        ("/home/ada/logs/0001.2.response", None),
        ("/home/ada/logs/٣.response", None),
        ("/home/ada/logs/.response", None),
        ("0001", None),
        ("a.txt", None),
    ],
)
def test_the_name_of_a_file_tells_its_language(name: str, language: str | None) -> None:
    assert language_of(name) == language


def test_what_cannot_be_read_is_named_and_the_rest_is_checked(tmp_path: Path) -> None:
    (tmp_path / "latin.stf").write_bytes("@user\ncafé\n".encode("latin-1"))
    (tmp_path / "wrong.stf").write_text(STRAY_END, "utf-8")
    done = run(tmp_path, "check", "none.stf", "latin.stf", "wrong.stf")
    assert (done.returncode, done.stdout.startswith("wrong.stf:3:1: error S001 ")) == (2, True)
    assert "none.stf: cannot be read: No such file or directory" in done.stderr
    assert "latin.stf:2: not UTF-8: byte 0xe9 at offset 9; convert the file first" in done.stderr
    assert "1 file checked: 1 error; 2 files could not be checked" in done.stderr


def test_the_nearest_settings_file_holds_up_to_the_repository(tmp_path: Path) -> None:
    inner, outer = tmp_path / "repository" / "chats", tmp_path / "repository"
    inner.mkdir(parents=True)
    (inner / "a.stf").write_text(STRAY_END, "utf-8")
    (outer / ".git").mkdir()
    for folder, setting, status in ((tmp_path, "ignore", 1), (outer, "ignore", 0), (inner, "select", 1)):
        (folder / "llmblocks.toml").write_text(f'rules.{setting} = ["S"]\n', "utf-8")
        assert run(inner, "check").returncode == status
