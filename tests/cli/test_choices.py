"""Which files `llmblocks check` reads, and how much it says."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from commands import run

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
