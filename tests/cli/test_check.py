"""`llmblocks check`."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from llmblocks.cli.commands import main
from llmblocks.languages.registry import language_of

DUPLICATE = "!!!GADGET_START:Greet\n!!!ARG:name\nAda\n!!!ARG:name\nGrace\n!!!GADGET_END\n"
STRAY_END = "@user\nHello\n@*/\n"


def test_a_finding_is_a_line_with_path_line_column_code_and_message(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "a.gadget"
    file.write_text(DUPLICATE, encoding="utf-8")
    assert main(["check", str(file)]) == 1
    out, err = capsys.readouterr()
    assert out.startswith(f"{file}:4:8: error G101 Duplicate pointer: name — ")
    assert out.count("\n") == 1
    assert err == "1 file checked: 1 error\n"


def test_a_clean_file_prints_nothing_and_succeeds(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "a.stf"
    file.write_text("@user\nHello\n", encoding="utf-8")
    assert main(["check", str(file)]) == 0
    assert capsys.readouterr() == ("", "1 file checked: nothing found\n")


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


def test_a_folder_is_walked_in_order_and_hidden_folders_are_left_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    logs = tmp_path / ".llmist" / "logs" / "brave-otter"
    for folder in (logs, tmp_path / ".git", tmp_path / "node_modules", tmp_path / "b"):
        folder.mkdir(parents=True)
        (folder / "0001.response").write_text(DUPLICATE, encoding="utf-8")
        (folder / "one.stf").write_text(STRAY_END, encoding="utf-8")
    (tmp_path / "notes.md").write_text(DUPLICATE, encoding="utf-8")
    assert main(["check", str(tmp_path), str(tmp_path / "b")]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert [line[len(str(tmp_path)) + 1 :].split(" ")[:3:2] for line in lines] == [
        [".llmist/logs/brave-otter/0001.response:4:8:", "G101"],
        [".llmist/logs/brave-otter/one.stf:3:1:", "S001"],
        ["b/0001.response:4:8:", "G101"],
        ["b/one.stf:3:1:", "S001"],
    ]


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


def test_a_file_of_unknown_language_is_named_with_what_to_do(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "a.txt"
    file.write_text(DUPLICATE, encoding="utf-8")
    assert main(["check", str(file)]) == 2
    assert (
        f"llmblocks check: {file}: cannot tell the language from the name; pass --language" in capsys.readouterr().err
    )
    assert main(["check", "--language", "gadget", str(file)]) == 1


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


def test_standard_input_is_checked_in_the_language_that_is_said(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(STRAY_END.encode())))
    assert main(["check", "--language", "stf", "-"]) == 1
    assert capsys.readouterr().out.startswith("-:3:1: error S001 ")
    assert main(["check", "-"]) == 2
    assert "pass --language" in capsys.readouterr().err


def test_json_has_every_field_of_a_finding(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "a.gadget"
    file.write_text(DUPLICATE, encoding="utf-8")
    assert main(["check", "--output-format", "json", str(file)]) == 1
    (found,) = json.loads(capsys.readouterr().out)
    related = {
        "start": 29,
        "end": 33,
        "line": 2,
        "column": 8,
        "endLine": 2,
        "endColumn": 12,
        "message": "first given here",
    }
    assert found.pop("message").startswith("Duplicate pointer: name — llmist rejects the whole call; rename")
    assert found.pop("headline") == "Duplicate pointer: name"
    assert found.pop("note") == "llmist rejects the whole call"
    assert found.pop("help") == "rename or remove one of them; first given 2 lines above"
    assert found.pop("url").endswith("/docs/rules/G101.md")
    assert found.pop("fix")["safe"] is False
    assert found == {
        "path": str(file),
        "language": "gadget",
        "start": 45,
        "end": 49,
        "line": 4,
        "column": 8,
        "endLine": 4,
        "endColumn": 12,
        "code": "G101",
        "name": "duplicate-pointer",
        "severity": "error",
        "related": [related],
    }


def test_json_of_nothing_found_is_an_empty_array(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.stf").write_text("", encoding="utf-8")
    assert main(["check", "--output-format", "json", str(tmp_path)]) == 0
    assert json.loads(capsys.readouterr().out) == []


def test_github_annotations_escape_what_would_end_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "100%,a.gadget"
    file.write_text("!!!GADGET_START:A\n!!!ARG:a%b\n1\n!!!ARG:a%b\n2\n!!!GADGET_END\n", encoding="utf-8")
    assert main(["check", "--output-format", "github", str(file)]) == 1
    line = capsys.readouterr().out
    assert line.startswith(f"::error file={tmp_path}/100%25%2Ca.gadget,line=4,col=8,endLine=4,endColumn=11,title=G101 ")
    assert "::Duplicate pointer: a%25b%0Anote: " in line


def test_rules_are_selected_and_ignored_by_prefix(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.gadget").write_text(DUPLICATE, encoding="utf-8")
    (tmp_path / "b.stf").write_text(STRAY_END, encoding="utf-8")
    assert main(["check", "--select", "s0", str(tmp_path)]) == 1
    assert [line.split()[2] for line in capsys.readouterr().out.splitlines()] == ["S001"]
    assert main(["check", "--ignore", "S001,G1", str(tmp_path)]) == 0


@pytest.mark.parametrize(
    "arguments",
    [
        ["check", "--select", "X9", "a.stf"],
        ["check", "--language", "xml", "-"],
        ["check", "--settings", "no.toml", "-"],
        ["no-command"],
    ],
)
def test_misuse_is_reported_with_status_2(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2
    assert "usage: llmblocks" in capsys.readouterr().err


@pytest.mark.parametrize(("severity", "status"), [("error", 1), ("warning", 1), ("information", 0), ("hint", 0)])
def test_a_warning_counts_and_information_does_not(
    severity: str, status: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.gadget").write_text(DUPLICATE, encoding="utf-8")
    (tmp_path / "llmblocks.toml").write_text(f'[rules.severity]\nG1 = "{severity}"\n', encoding="utf-8")
    assert main(["check", str(tmp_path)]) == status
    out, err = capsys.readouterr()
    assert f": {severity} G101 " in out
    assert err == f"1 file checked: 1 {severity}\n"


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


def test_the_command_line_outranks_the_settings_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    settings, file = tmp_path / "other.toml", tmp_path / "a.gadget"
    file.write_text("<<<START:A\n<<<ARG:x\n1\n<<<ARG:x\n2\n<<<END", encoding="utf-8")
    settings.write_text(
        'rules.ignore = ["G1"]\n[gadget.markers]\nstart = "<<<START:"\narg = "<<<ARG:"\nend = "<<<END"\n',
        encoding="utf-8",
    )
    assert main(["check", str(file)]) == 0
    assert main(["check", "--settings", str(settings), str(file)]) == 0
    assert main(["check", "--settings", str(settings), "--ignore", "S", str(file)]) == 0
    settings.write_text(settings.read_text("utf-8").replace('"G1"', '"G102"'), encoding="utf-8")
    assert main(["check", "--settings", str(settings), "--ignore", "S", str(file)]) == 1
    assert f"{file}:4:8: error G101 Duplicate pointer: x — " in capsys.readouterr().out


def test_mistakes_in_a_settings_file_are_reported_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("a.stf", "b.stf"):
        (tmp_path / name).write_text("@user\nHello\n", encoding="utf-8")
    settings = tmp_path / "llmblocks.toml"
    settings.write_text('[stf]\ndialect = "%"\n', encoding="utf-8")
    assert main(["check", str(tmp_path)]) == 2
    out, err = capsys.readouterr()
    assert out.startswith(f"{settings}:2:1: error C001 stf.dialect is '%'")
    assert out.count("\n") == 1
    assert err == "2 files checked: nothing found; 1 error in the settings\n"


def test_help_shows_a_newcomer_what_to_type(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 0
    shown = capsys.readouterr().out
    assert "llmblocks demo" in shown
    assert "llmblocks check chats/" in shown


def test_a_dependency_that_an_earlier_response_may_define_is_not_unknown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    call = "!!!GADGET_START:Write:w1:r1\n!!!ARG:path\na.txt\n!!!GADGET_END\n"
    for name in ("0002.response", "alone.gadget"):
        (tmp_path / name).write_text(call)
    main(["check", str(tmp_path)])
    assert [line.rpartition("/")[2].partition(":")[0] for line in capsys.readouterr().out.splitlines()] == [
        "alone.gadget"
    ]
