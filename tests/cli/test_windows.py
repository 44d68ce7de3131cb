"""The peculiarities of Windows: line ends, case of paths, and long paths."""

from __future__ import annotations

import json
import ntpath
import os
import posixpath
import subprocess
from pathlib import Path
from types import ModuleType

import pytest

from commands import run
from llmblocks.core.system import inside

ROOT = Path(__file__).parents[2]
MISTAKE = "!!!GADGET_START:ReadFile:r1\n!!!ARG:path\na.txt\n!!!ARG:path\na.txt\n!!!GADGET_END\n"
PROJECT = {
    "llmblocks.toml": """\
# a comment
[gadget.schemas]
"**" = ["gadgets.json"]

[rules]
# which would be the only difference
ignore = ["S301"]
perFileIgnores = { "old/*" = ["S001"] }
""",
    "gadgets.json": """\
[
  {"name": "Count", "parameters": {"type": "object", "properties": {"n": {"type": "integer"}}}}
]
""",
    ".gitignore": "# what nobody reads\nbuild/\n*.log.stf\n",
    ".git/HEAD": "ref: refs/heads/main\n",
    "build/a.stf": "@*/\n",
    "a.log.stf": "@*/\n",
    "old/a.stf": "@*/\n",
    "chat.stf": """\
@# llmblocks: ignore[S002]
@user
Hello
@*/
@ai
!!!GADGET_START:Count
!!!ARG:n
many
!!!GADGET_END
""",
    "notes.md": "# Notes\n\n```stf\n@user\nHello\n@*/\n```\n",
    "answer.blocks": "Well.\n<think>\nHm.\n",
}


def test_a_checkout_with_crlf_is_judged_as_one_with_lf(tmp_path: Path) -> None:
    judged = []
    for name, newline in (("lf", "\n"), ("crlf", "\r\n")):
        folder = tmp_path / name
        for file, text in PROJECT.items():
            (folder / file).parent.mkdir(parents=True, exist_ok=True)
            (folder / file).write_bytes(text.replace("\n", newline).encode())
        rows = map(json.loads, run(folder, "check", "--output-format", "jsonl").stdout.splitlines())
        judged.append([(each["path"], each["line"], each["code"], each["message"]) for each in rows])
    assert judged[0] == judged[1]
    assert {"G204", "S001", "C010"} <= {code for _, _, code, _ in judged[0]}
    assert {name for name, *_ in judged[0]} == {"chat.stf", "notes.md", "answer.blocks"}
    # a fix keeps the line ends
    run(tmp_path, "check", "--fix", "crlf")
    for file in ("chat.stf", "notes.md"):
        data = (tmp_path / "crlf" / file).read_bytes()
        assert b"@*/" not in data
        assert data.count(b"\n") == data.count(b"\r\n")


def test_a_checkout_of_this_repository_keeps_every_line_end(tmp_path: Path) -> None:
    """As `git clone` makes it on Windows, where it writes CRLF unless .gitattributes says otherwise."""
    names = ["docs/rules", "docs/examples", "server/llmblocks/core", "tests/vectors/stf.dev.jsonl"]
    git = ["git", "-c", "core.autocrlf=true"]
    if subprocess.run([*git, "cat-file", "-e", "HEAD:.gitattributes"], cwd=ROOT, check=False).returncode:
        pytest.skip("not a clone of the repository")
    clone = [*git, "clone", "--quiet", "--shared", "--no-checkout", str(ROOT), str(tmp_path / "clone")]
    subprocess.run(clone, check=True, capture_output=True)
    subprocess.run(
        [*git, "checkout", "--quiet", "HEAD", "--", ".gitattributes", *names], cwd=tmp_path / "clone", check=True
    )
    for name in ("docs/rules/G101.md", "docs/rules/S301.md", "tests/vectors/stf.dev.jsonl"):
        stored = subprocess.run(["git", "show", f"HEAD:{name}"], cwd=ROOT, check=True, capture_output=True).stdout
        assert (tmp_path / "clone" / name).read_bytes() == stored, name


@pytest.mark.parametrize(
    ("paths", "path", "folder", "rest"),
    [
        (ntpath, "C:\\work\\chats\\a.stf", "c:\\Work", "chats\\a.stf"),
        (ntpath, "c:\\work\\a.stf", "C:\\", "work\\a.stf"),
        (ntpath, "\\\\Host\\share\\a.stf", "\\\\host\\Share", "a.stf"),
        (ntpath, "C:/work/a.stf", "C:\\work", "a.stf"),
        (ntpath, "C:\\work2\\a.stf", "C:\\work", None),
        (ntpath, "D:\\work\\a.stf", "C:\\work", None),
        (posixpath, "/work/a.stf", "/work", "a.stf"),
        (posixpath, "/Work/a.stf", "/work", None),
    ],
)
def test_the_case_of_a_path_says_nothing_on_windows_alone(
    paths: ModuleType, path: str, folder: str, rest: str | None
) -> None:
    assert inside(path, folder, paths) == rest


def test_two_names_that_differ_in_case_are_one_file_on_windows_only(tmp_path: Path) -> None:
    for name in ("a.gadget", "A.gadget"):
        (tmp_path / name).write_text(MISTAKE, encoding="utf-8", newline="\n")
    done = run(tmp_path, "check", "a.gadget", "A.gadget")
    assert done.stderr.startswith("1 file checked" if os.name == "nt" else "2 files checked")


@pytest.mark.slow
def test_a_path_longer_than_260_characters_is_checked_fixed_and_kept(tmp_path: Path) -> None:
    folder = tmp_path.joinpath(*["a folder with a long name"] * 20)
    folder.mkdir(parents=True)
    files = [folder / f"{number}.gadget" for number in range(40)]
    for file in files:
        file.write_text(MISTAKE, encoding="utf-8", newline="\n")
    assert len(str(files[0])) > 500
    assert "40 files checked: 40 errors" in run(folder, "check", ".").stderr
    run(tmp_path, "check", "--fix")
    assert files[-1].read_text(encoding="utf-8").count("!!!ARG") == 1
