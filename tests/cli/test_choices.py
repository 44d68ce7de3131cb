"""Which files `llmblocks check` reads, and how much it says."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from commands import run
from llmblocks.cli.commands import main

WRONG = "@user\nHello\n@*/\n"
DUPLICATE = "!!!GADGET_START:Greet\n!!!ARG:name\nAda\n!!!ARG:name\nGrace\n!!!GADGET_END\n"


def check(folder: Path, *arguments: str, sent: str = "") -> subprocess.CompletedProcess[str]:
    return run(folder, "check", *arguments, sent=sent)


def shown(folder: Path, *arguments: str) -> list[str]:
    return check(folder, "--show-files", *arguments).stdout.splitlines()


def write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")


def test_without_paths_this_folder_is_checked(tmp_path: Path) -> None:
    write(tmp_path, {"a.stf": WRONG, "b/c.stf": WRONG})
    done = check(tmp_path)
    assert [line.partition(":")[0] for line in done.stdout.splitlines()] == ["a.stf", str(Path("b/c.stf"))]
    assert done.returncode == 1


def test_what_git_ignores_is_passed_over(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            ".git/info/exclude": "private.stf\n",
            ".gitignore": "build/\n*.out.stf\n!keep.out.stf\n/top.stf\n\\\n",
            "a.stf": "",
            "a.out.stf": "",
            "keep.out.stf": "",
            "top.stf": "",
            "private.stf": "",
            "build/b.stf": "",
            "inner/.gitignore": "!*.out.stf\nd.stf\n",
            "inner/c.out.stf": "",
            "inner/d.stf": "",
            "inner/top.stf": "",
            "inner/build/e.stf": "",
        },
    )
    found = ["a.stf", "keep.out.stf", "inner/c.out.stf", "inner/top.stf"]
    assert shown(tmp_path) == [str(Path(name)) for name in found]
    assert shown(tmp_path / "inner") == ["c.out.stf", "top.stf"]
    # who names a file or a folder wants to see it
    assert shown(tmp_path, "build", "top.stf") == [str(Path("build/b.stf")), "top.stf"]
    assert len(shown(tmp_path, "--no-gitignore")) == 10


def test_a_file_that_is_named_in_several_ways_is_checked_once(tmp_path: Path) -> None:
    write(tmp_path, {"a.stf": "", "b.stf": ""})
    (tmp_path / "link.stf").symlink_to("a.stf")
    assert shown(tmp_path, "a.stf", "./a.stf", "link.stf", ".", str(tmp_path / "b.stf")) == ["a.stf", "b.stf"]


def test_who_names_a_folder_inside_of_an_ignored_one_wants_to_see_it(tmp_path: Path) -> None:
    # as many programs write it into their own folders
    write(tmp_path, {".git/config": "", ".gitignore": "made/\n", "made/.gitignore": "*.stf\n", "made/by/a.stf": ""})
    assert shown(tmp_path) == []
    assert shown(tmp_path / "made" / "by") == ["a.stf"]


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
def test_nested_patterns_mean_what_they_mean_to_git(
    patterns: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folders = ["", "a/", "b/", "a/a/", "a/b/", "b/a/"]
    write(tmp_path, {f"{folder}{name}.stf": "" for folder in folders for name in ("a", "x", "!x", "#x")})
    write(tmp_path, {".gitignore": "\n".join(patterns), "b/.gitignore": "\n".join([*patterns[::-1], "!a.stf"])})
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    listed = ["git", "-C", str(tmp_path), "ls-files", "--others", "--exclude-standard", "*.stf"]
    by_git = subprocess.run(listed, capture_output=True, text=True, check=True).stdout.split()
    assert main(["check", "--show-files", str(tmp_path)]) == 0
    shown_here = [str(Path(line).relative_to(tmp_path).as_posix()) for line in capsys.readouterr().out.splitlines()]
    assert sorted(shown_here) == sorted(by_git)


def test_a_file_that_git_tracks_is_checked_although_a_pattern_ignores_it(tmp_path: Path) -> None:
    write(tmp_path, {".gitignore": "*.stf\n", "a.stf": "", "b.stf": ""})
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    subprocess.run(["git", "-C", tmp_path, "add", "--force", "a.stf"], check=True)
    assert shown(tmp_path) == ["a.stf"]


def test_a_gitignore_outside_of_the_repository_does_not_count(tmp_path: Path) -> None:
    write(tmp_path, {".gitignore": "*.stf\n", "repository/.git/config": "", "repository/chats/a.stf": ""})
    assert shown(tmp_path / "repository" / "chats") == ["a.stf"]
    assert shown(tmp_path) == []


def test_settings_exclude_what_git_does_not(tmp_path: Path) -> None:
    write(tmp_path, {"llmblocks.toml": 'files.exclude = ["old"]\n', "old/a.stf": "", "new/a.stf": ""})
    assert shown(tmp_path) == [str(Path("new/a.stf"))]


def test_standard_input_has_the_language_and_the_settings_of_a_name(tmp_path: Path) -> None:
    write(tmp_path, {"chats/llmblocks.toml": 'rules.severity = { S001 = "warning" }\n'})
    done = check(tmp_path, "-", "--stdin-filename", "chats/a.stf", sent=WRONG)
    assert done.stdout.startswith("chats/a.stf:3:1: warning S001 ")
    fixed = check(tmp_path, "--fix", "-", "--stdin-filename", "chats/a.stf", sent=WRONG)
    assert (fixed.returncode, fixed.stdout) == (0, "@user\nHello\n")
    assert not (tmp_path / "chats" / "a.stf").exists()
    assert check(tmp_path, "-", "--stdin-filename", "a.txt", sent=WRONG).returncode == 2


def test_statistics_count_the_findings_of_each_rule(tmp_path: Path) -> None:
    write(tmp_path, {"a.stf": WRONG + "@*/\n" * 10, "b.gadget": DUPLICATE})
    done = check(tmp_path, "--statistics")
    assert done.stdout == "11  S001  unmatched-comment-end\n 1  G101  duplicate-pointer\n"
    assert (done.returncode, done.stderr) == (1, "2 files checked: 12 errors\n")
    assert json.loads(check(tmp_path, "--statistics", "--output-format", "json").stdout) == [
        {"code": "S001", "name": "unmatched-comment-end", "count": 11},
        {"code": "G101", "name": "duplicate-pointer", "count": 1},
    ]


def test_findings_may_leave_the_status_zero_and_failures_may_not(tmp_path: Path) -> None:
    write(tmp_path, {"a.stf": WRONG})
    assert check(tmp_path, "--exit-zero").returncode == 0
    (tmp_path / "b.stf").write_bytes(b"\xff")
    assert check(tmp_path, "--exit-zero").returncode == 2


def test_quiet_keeps_findings_and_failures_and_drops_the_totals(tmp_path: Path) -> None:
    write(tmp_path, {"a.stf": WRONG})
    done = check(tmp_path, "--quiet")
    assert (done.stdout.count("\n"), done.stderr) == (1, "")
    (tmp_path / "b.stf").write_bytes(b"\xff")
    assert check(tmp_path, "-q").stderr.count("\n") == 1


def test_the_settings_of_the_first_file_are_shown(tmp_path: Path) -> None:
    write(tmp_path, {"llmblocks.toml": "diagnostics.maxPerDocument = 7\n", "a.stf": WRONG})
    done = check(tmp_path, "--show-settings", "--select", "S001")
    assert done.returncode == 0
    assert done.stdout.startswith("# a.stf: stf\n")
    assert "diagnostics.maxPerDocument = 7  # " in done.stdout
    assert 'rules.select = ["S001"]  # the command line' in done.stdout


@pytest.mark.parametrize("missing", ["none", "none.stf"])
def test_a_missing_path_is_a_failure_and_the_rest_is_checked(missing: str, tmp_path: Path) -> None:
    write(tmp_path, {"a.stf": WRONG})
    done = check(tmp_path, missing, "a.stf")
    assert (done.returncode, done.stdout.count("\n")) == (2, 1)
    assert missing in done.stderr


def test_what_is_excluded_is_checked_if_it_is_given_unless_exclusion_is_forced(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "llmblocks.toml": 'files.extendExclude = ["old/", "!old/b.stf", "*.out.stf"]\n',
            "a.stf": "",
            "a.out.stf": "",
            "old/b.stf": "",
            "new/old/deep/c.stf": "",
            "node_modules/d.stf": "",
            "new/e.stf": "",
        },
    )
    given = ["a.stf", "a.out.stf", "old/b.stf", "new/old/deep/c.stf", "node_modules/d.stf", "new/e.stf"]
    assert shown(tmp_path, *given) == [str(Path(name)) for name in given]
    left = ["a.stf", str(Path("new/e.stf"))]
    assert shown(tmp_path, "--force-exclude", *given) == left
    assert shown(tmp_path, "--force-exclude", *[str(tmp_path / name) for name in given]) == [
        str(tmp_path / name) for name in left
    ]
    assert shown(tmp_path, "--force-exclude", "old") == []
    assert shown(tmp_path, "--force-exclude", ".", "./a.out.stf") == left
    assert shown(tmp_path / "old", "--force-exclude", "b.stf") == shown(tmp_path / "old")


def test_options_that_are_repeated_add_up(tmp_path: Path) -> None:
    write(tmp_path, {"a.stf": WRONG, "b.gadget": DUPLICATE})
    assert check(tmp_path, "--ignore", "S001", "--ignore", "duplicate-pointer").stdout == ""
    assert check(tmp_path, "--select", "S001", "--select", "G1").stdout.count("\n") == 2
    assert check(tmp_path, "--select", "S001", "--select", "G1", "--ignore", "G101").stdout.count("\n") == 1


def test_a_name_for_standard_input_stands_for_it_where_no_file_is_named(tmp_path: Path) -> None:
    write(tmp_path, {"b.gadget": DUPLICATE})
    done = check(tmp_path, "--stdin-filename", "a.stf", sent=WRONG)
    assert (done.stdout.count("\n"), done.stdout.startswith("a.stf:3:1: ")) == (1, True)
    refused = check(tmp_path, "--stdin-filename", "a.stf", "b.gadget", sent=WRONG)
    assert refused.returncode == 2
    assert "--stdin-filename requires standard input: pass `-` or no paths" in refused.stderr


@pytest.mark.parametrize("output", ["checked.gadget", "./checked.gadget", "link", "llmblocks.toml", "fixed.stf"])
def test_a_report_replaces_nothing_that_was_read(output: str, tmp_path: Path) -> None:
    files = {"checked.gadget": DUPLICATE, "fixed.stf": WRONG, "llmblocks.toml": "[rules]\n"}
    write(tmp_path, files)
    (tmp_path / "link").symlink_to("checked.gadget")
    done = check(tmp_path, "--output-file", output)
    assert (done.returncode, done.stdout) == (2, "")
    reason = "it has settings" if output == "llmblocks.toml" else "this run reads it"
    assert done.stderr.startswith(f"llmblocks check: {output}: not written: {reason}; give ")
    assert {name: (tmp_path / name).read_text("utf-8") for name in files} == files
    assert check(tmp_path, "--output-file", "new.txt", "checked.gadget").returncode == 1


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
