"""The files that `llmblocks check` reads, with those that embed texts of ours, and those that it rejects."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from threading import Thread

import pytest

from commands import run
from laws.completions import GOOD
from llmblocks import Settings, check
from llmblocks.completions.shipped import guessed
from llmblocks.core.edits import Edit, edited
from llmblocks.languages.registry import language_of
from llmblocks.settings.values import ByGlob

WRONG = "@user\nHello\n@*/\n"
CALL = "!!!GADGET_START:Read:r1\n!!!ARG:path\na\n!!!ARG:path\na\n!!!GADGET_END\n"


def shown(folder: Path, *arguments: str) -> list[str]:
    return run(folder, "check", "--show-files", *arguments).stdout.splitlines()


def write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8", newline="\n")


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


@pytest.mark.parametrize("name", [name for name in GOOD if name != "smollm"])
def test_a_completion_tells_its_template(name: str) -> None:
    assert guessed("".join(GOOD[name])).name == name
    assert guessed("Hello").name == "hermes"


def test_a_column_counts_characters_and_a_line_ends_as_in_an_editor(tmp_path: Path) -> None:
    # the lone carriage return is a line end, U+2028 is not one
    text = "é\rsome text\u2028🎉\r\n!!!GADGET_START:A\n!!!ARG:🎉é/0\n1\n!!!ARG:🎉é/5\n2\n!!!GADGET_END\n"
    write(tmp_path, {"a.gadget": text})
    assert run(tmp_path, "check").stdout.startswith("a.gadget:6:11: error G102 ")


@pytest.mark.parametrize(
    ("pointer", "escaped", "columns"), [("\x1b[2Jx", "\\x1b[2Jx", 5), ("a\u2028b\u2029c", "a\\u2028b\\u2029c", 5)]
)
def test_no_character_is_lost_between_file_and_rules(pointer: str, escaped: str, columns: int, tmp_path: Path) -> None:
    write(tmp_path, {"a.gadget": "!!!GADGET_START:A\n" + f"!!!ARG:{pointer}\n1\n" * 2 + "!!!GADGET_END\n"})
    (found,) = json.loads(run(tmp_path, "check", "--output-format", "json").stdout)
    assert (found["column"], found["endColumn"]) == (8, 8 + columns)
    assert f"Duplicate pointer: {escaped} — " in run(tmp_path, "check").stdout


def test_what_is_not_a_regular_file_is_skipped_in_a_folder(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.gadget")
    (tmp_path / "b.gadget").symlink_to("/dev/zero")
    write(tmp_path, {"c.gadget": CALL})
    done = run(tmp_path, "check")
    assert (done.returncode, done.stdout.count("\n"), done.stderr) == (1, 1, "1 file checked: 1 error\n")


def test_a_device_that_is_named_is_read_up_to_the_limit(tmp_path: Path) -> None:
    done = run(tmp_path, "check", "--language", "stf", "/dev/zero")
    assert (done.returncode, "/dev/zero: larger than 50 MB; raise files.maxSizeMB in" in done.stderr) == (2, True)
    assert run(tmp_path, "check", "--language", "stf", "/dev/null").returncode == 0


def test_a_pipe_is_read_when_something_writes_to_it(tmp_path: Path) -> None:
    pipe = tmp_path / "a.gadget"
    os.mkfifo(pipe)
    # it waits for a reader
    writer = Thread(target=pipe.write_text, args=(CALL,))
    writer.start()
    done = run(tmp_path, "check", "a.gadget")
    writer.join()
    assert (done.returncode, "G101" in done.stdout) == (1, True)


def test_the_nearest_settings_up_to_the_repository_hold_from_every_folder(tmp_path: Path) -> None:
    outer, inner = tmp_path / "a", tmp_path / "a" / "b"
    write(inner, {"a.stf": WRONG})
    for settings, select, status in ((tmp_path, "ignore", 0), (outer, "select", 1), (outer, "ignore", 0)):
        write(settings, {"llmblocks.toml": f'rules.{select} = ["S"]\n'})
        for folder in (tmp_path, inner, Path("/")):
            for given in (str(inner / "a.stf"), os.path.relpath(inner, folder)):
                assert run(folder, "check", given).returncode == status
    (outer / "llmblocks.toml").unlink()
    (outer / ".hg").mkdir()
    assert run(inner, "check").returncode == 1


@pytest.mark.parametrize(
    "patterns",
    [
        ["a", "!/a"],
        ["*", "!/a"],
        ["*", "!*/", "!x.stf"],
        ["a/**", "!a/x.stf"],
        ["a/*", "!a/b/"],
        ["**/b", "!b/"],
        ["b/**/x.stf", "!x.stf"],
        ["**/", "!a/"],
        ["/*/b", "\\!x.stf"],
        ["[!a-m].stf", "#x.stf"],
    ],
)
def test_nested_patterns_mean_what_they_mean_to_git(patterns: list[str], tmp_path: Path) -> None:
    folders = ["", "a/", "b/", "a/a/", "a/b/", "b/a/"]
    write(tmp_path, {f"{folder}{name}.stf": "" for folder in folders for name in ("a", "x", "!x", "#x")})
    write(tmp_path, {".gitignore": "\n".join(patterns), "b/.gitignore": "\n".join([*patterns[::-1], "!a.stf"])})
    git = ["git", "-C", str(tmp_path)]
    subprocess.run([*git, "init", "-q"], check=True)
    for more in ("--exclude-standard", "--cached"):
        listed = [*git, "ls-files", "--others", "--exclude-standard", more, "*.stf"]
        by_git = subprocess.run(listed, capture_output=True, text=True, check=True).stdout.split()
        assert sorted(each.replace(os.sep, "/") for each in shown(tmp_path)) == sorted(by_git)
        # what is tracked is checked although a pattern ignores it
        subprocess.run([*git, "add", "--force", "a/b/x.stf", "b/!x.stf"], check=True)


def test_the_settings_of_the_first_file_are_shown(tmp_path: Path) -> None:
    write(tmp_path, {"llmblocks.toml": "diagnostics.maxPerDocument = 7\n", "a.stf": WRONG})
    done = run(tmp_path, "check", "--show-settings", "--select", "S001")
    assert (done.returncode, done.stdout.startswith("# a.stf: stf\n")) == (0, True)
    assert "diagnostics.maxPerDocument = 7  # " in done.stdout
    assert 'rules.select = ["S001"]  # the command line' in done.stdout


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
def test_a_link_is_read_unless_its_file_is(tmp_path: Path) -> None:
    write(tmp_path, dict.fromkeys(("a/z.stf", "a/text.txt", ".hidden/b.stf", "ignored.stf"), ""))
    write(tmp_path, {".gitignore": "/ignored.stf"})
    for link, file in {
        "a/a.stf": "z.stf",
        "a/y.stf": "text.txt",
        "b.stf": ".hidden/b.stf",
        "c.stf": "a/z.stf",
        "d.stf": "ignored.stf",
        "e.stf": "d.stf",
    }.items():
        (tmp_path / link).symlink_to(file)
    assert shown(tmp_path, "a", ".", "./a/z.stf", str(tmp_path / "b.stf")) == ["a/z.stf", "a/y.stf", "b.stf", "d.stf"]
    assert shown(tmp_path, "a/a.stf", ".", "a") == ["a/a.stf", "b.stf", "d.stf", "a/y.stf"]


def test_lines_of_data_are_checked_at_their_places(tmp_path: Path) -> None:
    def data(text: str, **more: object) -> str:
        return json.dumps({"messages": [{"role": "assistant", "content": text}], **more}, ensure_ascii=False) + "\n"

    text = data("Hi") + data(CALL) + "{\n" + data(f"é\n{CALL}", n="é")
    write(tmp_path, {"train.jsonl": text})
    done = run(tmp_path, "check", "train.jsonl", "--output-format", "json")
    found = json.loads(done.stdout)
    assert (done.returncode, done.stderr) == (1, "1 file with 3 texts checked: 3 errors\n")
    assert [(each["code"], each["line"]) for each in found] == [("G101", 2), ("D001", 3), ("G101", 4)]
    assert [text[each["start"] : each["end"]] for each in (*found[::2], found[0]["related"][0])] == ["path"] * 3


STRAY, TWICE = "@user\nHi\n@*/\n", "!!!GADGET_START:A\n!!!ARG:a\n1\n!!!ARG:a\n2\n!!!GADGET_END\n"


@pytest.mark.parametrize(
    ("name", "text", "code", "after"),
    [
        ("a.stf", STRAY, "S001", "@user\nHi\n"),
        ("a.md", "é\n\n- ```stf\n  @*/\n  @user\n  ```\n", "S001", "é\n\n- ```stf\n  @user\n  ```\n"),
        ("a.md", f"```\n{TWICE}```\n", "D004", f"```gadget\n{TWICE}```\n"),
        ("a.jsonl", '{"x": "é"}\n{"x": "@user\\nHi\\n@*/\\n"}\n', "S001", '{"x": "é"}\n{"x": "@user\\nHi\\n"}\n'),
    ],
)
def test_json_has_the_fix_of_a_finding_in_the_file(name: str, text: str, code: str, after: str, tmp_path: Path) -> None:
    write(tmp_path, {"llmblocks.toml": '[files.strings."*.jsonl"]\nx = "stf"\n', name: text})
    (finding,) = json.loads(run(tmp_path, "check", "--output-format", "json", "--select", code).stdout)
    assert finding["url"].endswith(f"/docs/rules/{code}.md")
    edits = finding["fix"]["edits"]
    assert edited(text, [Edit(each["start"], each["end"], each["text"]) for each in edits]) == after
    assert finding["fix"]["safe"] == (code != "D004")
    (line,) = {each["line"] for each in edits}
    assert line in (finding["line"], finding["endLine"] + 1)


def test_strings_of_code_are_read_where_settings_or_somebody_name_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("tree_sitter_typescript", reason="the extra llmblocks[code] is not installed")
    text = f'"é"  # llmblocks: gadget\nA = """{CALL}"""\n'
    write(tmp_path, {"a.py": text, "b.py": text, "c.ts": text.replace("# ", "// ")})
    assert run(tmp_path, "check").stdout == ""
    assert run(tmp_path, "check", "b.py").stdout.startswith("b.py:5:8: error G101")
    write(tmp_path, {"llmblocks.toml": '[files.code]\n"a.*" = {}\n"c.ts" = { A = "gadget" }\n'})
    done = run(tmp_path, "check")
    assert [line.partition(":")[0] for line in done.stdout.splitlines()] == ["a.py"]
    assert done.stderr == "2 files checked: 1 error\n"
    assert run(tmp_path, "check", "--fix", "a.py").returncode == 0
    assert (tmp_path / "a.py").read_text("utf-8") == text.replace("!!!ARG:path\na\n", "", 1)
    monkeypatch.setattr("llmblocks.hosts.code.grammar", lambda _: None)
    done = run(tmp_path, "check", "b.py")
    assert (done.returncode, "pip install 'llmblocks[code]'" in done.stderr) == (2, True)


@pytest.mark.parametrize("folder", [".llmist/logs/s1", "chats"])
@pytest.mark.parametrize("name", ["foo.response", "0002.response"])
def test_the_library_knows_the_same_files_as_the_command_line(
    name: str, folder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    inside = tmp_path / folder
    call = "!!!GADGET_START:Read:{}\n!!!GADGET_END\n"
    text = call.format("r2:r1,r9")
    write(inside, {"0001.response": call.format("r1"), name: text})
    done = run(inside, "check", "--output-format", "json", "--language", "gadget", name)
    expected = [each["message"] for each in json.loads(done.stdout)]
    assert ("r1" in " ".join(expected)) is (name == "foo.response" and folder == "chats")
    monkeypatch.chdir(inside)
    for given in (name, f"./{name}", str(inside / name)):
        assert [str(each.message) for each in check(text, "gadget", name=given)] == expected
        # patterns are for absolute paths
        settings = Settings(per_file_ignores=(ByGlob(f"{inside}/*.response", ("G",)),))
        assert check(text, "gadget", settings, given) == ()
