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


def test_findings_beyond_the_limit_are_counted_and_not_shown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "llmblocks.toml").write_text("diagnostics.maxPerDocument = 2\n", encoding="utf-8")
    (tmp_path / "a.stf").write_text(THREE, encoding="utf-8")
    (tmp_path / "b.stf").write_text(THREE, encoding="utf-8")
    assert main(["check", str(tmp_path)]) == 1
    out, err = capsys.readouterr()
    assert out.count("\n") == 4
    assert f"{tmp_path / 'a.stf'}: 1 more finding not shown (diagnostics.maxPerDocument)" in err
    assert err.endswith("2 files checked: 6 errors\n")
    assert main(["check", "--statistics", str(tmp_path)]) == 1
    assert capsys.readouterr().err == "2 files checked: 6 errors\n"


@pytest.mark.parametrize("name", ["a.md", "a.jsonl"])
def test_the_findings_of_all_embedded_texts_are_limited_together(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "llmblocks.toml").write_text("diagnostics.maxPerDocument = 2\n", encoding="utf-8")
    row = json.dumps({"messages": [{"role": "assistant", "content": DUPLICATE}]})
    text = f"```gadget\n{DUPLICATE}```\n" * 3 if name == "a.md" else f"{row}\n" * 3
    (tmp_path / name).write_text(text, encoding="utf-8")
    assert main(["check", str(tmp_path / name)]) == 1
    out, err = capsys.readouterr()
    assert out.count("\n") == 2
    assert f"{tmp_path / name}: 1 more finding not shown (diagnostics.maxPerDocument)" in err


def test_a_language_that_is_given_holds_for_every_file_of_a_folder(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.txt").write_text(DUPLICATE, encoding="utf-8")
    (tmp_path / ".hidden").write_text(DUPLICATE, encoding="utf-8")
    (tmp_path / "b.stf").write_text(DUPLICATE, encoding="utf-8")
    assert main(["check", "--language", "gadget", "--output-format", "json", str(tmp_path)]) == 1
    found = json.loads(capsys.readouterr().out)
    assert [(Path(each["path"]).name, each["language"]) for each in found] == [("a.txt", "gadget"), ("b.stf", "gadget")]
    assert main(["check", str(tmp_path)]) == 1


def test_nothing_to_check_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(tmp_path)]) == 0
    expected = "expected *.gadget, *.stf, *.blocks, *.completion or llmist logs"
    assert f"nothing to check: {expected}" in capsys.readouterr().err


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


@pytest.mark.parametrize("text", ["= 1\n", "[stf]\ndialect = '%'\n", "rules.ignore = ['nonsense']\n"])
def test_a_settings_file_with_errors_gives_status_2(
    text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    document, settings = tmp_path / "a.stf", tmp_path / "llmblocks.toml"
    document.write_text("@user\nHello\n", encoding="utf-8")
    settings.write_text(text, encoding="utf-8")
    empty = tmp_path / "empty"
    empty.mkdir()
    for arguments in ([str(document)], ["--settings", str(settings), str(empty)]):
        assert main(["check", *arguments]) == 2
        out, err = capsys.readouterr()
        assert "error C001" in out
        assert "1 error in the settings" in err


def test_an_unknown_setting_is_a_warning(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.stf").write_text("@user\nHello\n", encoding="utf-8")
    (tmp_path / "llmblocks.toml").write_text("stff = 1\n", encoding="utf-8")
    assert main(["check", str(tmp_path)]) == 1
    assert "warning C002 unknown setting stff — it has no effect; did you mean stf?" in capsys.readouterr().out


def test_rules_are_ignored_by_name_besides_those_that_the_file_ignores(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.gadget").write_text(DUPLICATE, encoding="utf-8")
    (tmp_path / "b.stf").write_text(THREE, encoding="utf-8")
    (tmp_path / "llmblocks.toml").write_text('rules.ignore = ["unmatched-comment-end"]\n', encoding="utf-8")
    assert main(["check", str(tmp_path)]) == 1
    assert [line.split()[2] for line in capsys.readouterr().out.splitlines()] == ["G101"]
    assert main(["check", "--ignore", "Duplicate-Pointer", str(tmp_path)]) == 0
    assert main(["check", "--select", "duplicate-pointer", str(tmp_path)]) == 1
    with pytest.raises(SystemExit) as ended:
        main(["check", "--ignore", "duplicate-point", str(tmp_path)])
    assert ended.value.code == 2
    assert "did you mean duplicate-pointer?" in capsys.readouterr().err


def test_a_misspelt_command_names_the_nearest_one(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["chekc", "a.stf"])
    assert ended.value.code == 2
    assert "unknown command chekc; did you mean check?" in capsys.readouterr().err


def test_an_unknown_command_lists_those_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["zzz"])
    assert "unknown command zzz; the commands are check, " in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["check", "--fixx"], "unrecognized arguments: --fixx; did you mean --fix?"),
        (["check", "a.stf", "--stdn-filename=x.stf"], "did you mean --stdin-filename?"),
        (["format", "--chekc"], "unrecognized arguments: --chekc; did you mean --check?"),
        (["check", "--zzz"], "unrecognized arguments: --zzz\n"),
        (["convert", "a.stf", "--to", "json", "--losless"], "did you mean --lossless?"),
    ],
)
def test_a_misspelt_option_names_the_nearest_one(
    arguments: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2
    assert told in capsys.readouterr().err
