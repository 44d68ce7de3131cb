"""The files that `llmblocks check` reads, with those that embed texts of ours, and those that it rejects."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from threading import Thread

import pytest

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


WRONG = "@user\nHello\n@*/\n"


def check(folder: Path, *arguments: str, sent: str = "") -> subprocess.CompletedProcess[str]:
    return run(folder, "check", *arguments, sent=sent)


def shown(folder: Path, *arguments: str) -> list[str]:
    return check(folder, "--show-files", *arguments).stdout.splitlines()


def write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")


def test_a_file_that_is_named_in_several_ways_is_checked_once(tmp_path: Path) -> None:
    write(tmp_path, {"a.stf": "", "b.stf": ""})
    (tmp_path / "link.stf").symlink_to("a.stf")
    assert shown(tmp_path, "a.stf", "./a.stf", "link.stf", ".", str(tmp_path / "b.stf")) == ["a.stf", "b.stf"]


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
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    listed = ["git", "-C", str(tmp_path), "ls-files", "--others", "--exclude-standard", "*.stf"]
    by_git = subprocess.run(listed, capture_output=True, text=True, check=True).stdout.split()
    assert sorted(each.replace(os.sep, "/") for each in shown(tmp_path)) == sorted(by_git)


def test_a_file_that_git_tracks_is_checked_although_a_pattern_ignores_it(tmp_path: Path) -> None:
    write(tmp_path, {".gitignore": "*.stf\n", "a.stf": "", "b.stf": ""})
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    subprocess.run(["git", "-C", tmp_path, "add", "--force", "a.stf"], check=True)
    assert shown(tmp_path) == ["a.stf"]


def test_findings_may_leave_the_status_zero_and_failures_may_not(tmp_path: Path) -> None:
    write(tmp_path, {"a.stf": WRONG})
    done = check(tmp_path, "--exit-zero", "--quiet")
    assert (done.returncode, done.stdout.count("\n"), done.stderr) == (0, 1, "")
    (tmp_path / "b.stf").write_bytes(b"\xff")
    done = check(tmp_path, "--exit-zero", "-q")
    assert (done.returncode, done.stdout.count("\n"), done.stderr.count("\n")) == (2, 1, 1)


def test_the_settings_of_the_first_file_are_shown(tmp_path: Path) -> None:
    write(tmp_path, {"llmblocks.toml": "diagnostics.maxPerDocument = 7\n", "a.stf": WRONG})
    done = check(tmp_path, "--show-settings", "--select", "S001")
    assert done.returncode == 0
    assert done.stdout.startswith("# a.stf: stf\n")
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
    assert shown(tmp_path, "a", ".", "a/z.stf") == ["a/y.stf", "a/z.stf", "b.stf", "d.stf"]
    assert shown(tmp_path, "a/a.stf", ".", "a") == ["a/a.stf", "b.stf", "d.stf", "a/y.stf"]


CALL = "!!!GADGET_START:Read:r1\n!!!ARG:path\na\n!!!ARG:path\na\n!!!GADGET_END\n"
QUOTED = "".join(f"> {line}\n" for line in f"```gadget\n{CALL}```".split("\n"))
TEXT = f"# Prompts\n\n{QUOTED}\n```stf\n@ai\nhi\n```\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "prompts.md").write_text(TEXT, "utf-8")
    (tmp_path / "prose.markdown").write_text("!!!ARG:x\n", "utf-8")
    return tmp_path


def data(text: str, **more: object) -> str:
    return json.dumps({"messages": [{"role": "assistant", "content": text}], **more}) + "\n"


def test_lines_of_data_are_checked_at_their_places(folder: Path) -> None:
    text = data("Hi") + data(CALL) + "{\n" + data(f"é\n{CALL}", n="é").replace("\\u00e9", "é")
    (folder / "train.jsonl").write_text(text, "utf-8")
    done = run(folder, "check", "train.jsonl", "--output-format", "json")
    found = json.loads(done.stdout)
    assert (done.returncode, done.stderr) == (1, "1 file with 3 texts checked: 3 errors\n")
    assert [(each["code"], each["line"]) for each in found] == [("G101", 2), ("D001", 3), ("G101", 4)]
    assert [text[each["start"] : each["end"]] for each in (*found[::2], found[0]["related"][0])] == ["path"] * 3


def test_one_line_of_data_is_in_memory(folder: Path) -> None:
    (folder / "llmblocks.toml").write_text("[files]\nmaxSizeMB = 0.001\n", "utf-8")
    file = folder / "a.jsonl"
    file.write_text(data("Hi") * 100 + data(CALL), "utf-8")
    assert run(folder, "check", "a.jsonl").stdout.startswith("a.jsonl:101:")
    file.write_text(data("Hi") + data("x" * 2000), "utf-8")
    done = run(folder, "check", "a.jsonl")
    assert (done.returncode, "a.jsonl:2: a line larger than 0.001 MB; raise files.maxSizeMB" in done.stderr) == (
        2,
        True,
    )
    file.write_bytes(data("Hi").encode() + b"\xff\n")
    assert f"a.jsonl:2: not UTF-8: byte 0xff at offset {len(data('Hi'))}" in run(folder, "check", "a.jsonl").stderr


def test_strings_of_code_are_read_where_settings_or_somebody_name_the_file(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("tree_sitter_typescript", reason="the extra llmblocks[code] is not installed")
    text = f'"é"  # llmblocks: gadget\nA = """{CALL}"""\n'
    for name in ("a.py", "b.py", "c.ts"):
        (folder / name).write_text(text.replace("# ", "// ") if name == "c.ts" else text, "utf-8")
    assert run(folder, "check").stdout.count("\n") == 1
    assert run(folder, "check", "b.py").stdout.startswith("b.py:5:8: error G101")
    (folder / "llmblocks.toml").write_text('[files.code]\n"a.*" = {}\n"c.ts" = { A = "gadget" }\n', "utf-8")
    done = run(folder, "check")
    assert [line.partition(":")[0] for line in done.stdout.splitlines()] == ["a.py", "prompts.md"]
    assert done.stderr == "4 files checked: 2 errors\n"
    assert run(folder, "check", "--fix", "a.py").returncode == 0
    assert (folder / "a.py").read_text("utf-8") == text.replace("!!!ARG:path\na\n", "", 1)
    monkeypatch.setattr("llmblocks.hosts.code.grammar", lambda _: None)
    done = run(folder, "check", "b.py")
    assert (done.returncode, "pip install 'llmblocks[code]'" in done.stderr) == (2, True)
