"""`llmblocks check`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from llmblocks.cli.commands import main
from llmblocks.languages.registry import language_of

DUPLICATE = "!!!GADGET_START:Greet\n!!!ARG:name\nAda\n!!!ARG:name\nGrace\n!!!GADGET_END\n"
STRAY_END = "@user\nHello\n@*/\n"


def test_a_column_counts_characters_and_a_line_ends_as_in_an_editor(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "a.gadget"
    file.write_bytes(
        "é\rsome text\u2028🎉\r\n!!!GADGET_START:A\n!!!ARG:🎉é/0\n1\n!!!ARG:🎉é/5\n2\n!!!GADGET_END\n".encode()
    )
    assert main(["check", str(file)]) == 1
    # the lone carriage return is a line end, U+2028 is not one
    assert capsys.readouterr().out.startswith(f"{file}:6:11: error G102 ")


def test_no_character_is_lost_between_file_and_rules(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "a.gadget"
    file.write_bytes(b"!!!GADGET_START:A\n!!!ARG:\x1b[2Jx\n1\n!!!ARG:\x1b[2Jx\n2\n!!!GADGET_END\n")
    assert main(["check", "--output-format", "json", str(file)]) == 1
    (found,) = json.loads(capsys.readouterr().out)
    assert (found["column"], found["endColumn"]) == (8, 13)
    assert main(["check", str(file)]) == 1
    assert "Duplicate pointer: \\x1b[2Jx — " in capsys.readouterr().out


def test_a_line_separator_in_a_message_is_spelt_out_as_what_it_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "a.gadget"
    file.write_text("!!!GADGET_START:A\n" + "!!!ARG:a\u2028b\u2029c\n1\n" * 2, encoding="utf-8", newline="\n")
    assert main(["check", str(file)]) == 1
    assert "Duplicate pointer: a\\u2028b\\u2029c — " in capsys.readouterr().out


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


def test_what_cannot_be_read_is_named_and_the_rest_is_checked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    latin, wrong = tmp_path / "latin.stf", tmp_path / "wrong.stf"
    latin.write_bytes("@user\ncafé\n".encode("latin-1"))
    wrong.write_text(STRAY_END, encoding="utf-8")
    assert main(["check", str(tmp_path / "none.stf"), str(latin), str(wrong)]) == 2
    out, err = capsys.readouterr()
    assert out.startswith(f"{wrong}:3:1: error S001 ")
    assert f"{tmp_path / 'none.stf'}: cannot be read: No such file or directory" in err
    assert f"{latin}:2: not UTF-8: byte 0xe9 at offset 9; convert the file first" in err
    assert "1 file checked: 1 error; 2 files could not be checked" in err


def test_the_nearest_settings_file_holds_up_to_the_repository(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    inner, outer = tmp_path / "repository" / "chats", tmp_path / "repository"
    inner.mkdir(parents=True)
    (inner / "a.stf").write_text(STRAY_END, encoding="utf-8")
    (tmp_path / "llmblocks.toml").write_text('rules.ignore = ["S"]\n', encoding="utf-8")
    (outer / ".git").mkdir()
    assert main(["check", str(inner)]) == 1
    (outer / "llmblocks.toml").write_text('rules.ignore = ["S"]\n', encoding="utf-8")
    assert main(["check", str(inner)]) == 0
    (inner / "llmblocks.toml").write_text('rules.select = ["S"]\n', encoding="utf-8")
    assert main(["check", str(inner)]) == 1


def test_help_shows_a_newcomer_what_to_type(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 0
    shown = capsys.readouterr().out
    assert "llmblocks demo" in shown
    assert "llmblocks check chats/" in shown
