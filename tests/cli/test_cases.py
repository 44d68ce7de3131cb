"""Commands and what they print, in the Markdown files beside this one.

A fence with a title is a file of the folder in which the commands run, for its heading and those below it. A fence
`console` has commands: each after `$ `, with what it writes to standard output, then to standard error, and its status
in brackets where that is not 0. `< FILE` is its standard input. `touch`, `cat`, `printf BYTES > FILE` and `ln -s` are
there, too. FOLDER is the folder.

`LLMBLOCKS_GOLDEN=1 pytest tests/cli/test_cases.py` writes what is printed again: read the difference.
"""

from __future__ import annotations

import os
import re
import shlex
from pathlib import Path
from typing import NamedTuple

import pytest
from markdown_it import MarkdownIt

from commands import run

HERE = Path(__file__).parent
TITLE = re.compile(r'title="(.*)"')


class Case(NamedTuple):
    """The commands of a fence, from this line of a Markdown file to that one."""

    page: Path
    title: str
    files: tuple[tuple[str, str], ...]
    commands: str
    start: int
    end: int


def cases_in(page: Path) -> list[Case]:
    found: list[Case] = []
    titles: dict[int, str] = {}
    files: dict[int, dict[str, str]] = {}
    level = 0
    tokens = MarkdownIt("commonmark").parse(page.read_text("utf-8"))
    for token, following in zip(tokens, [*tokens[1:], None], strict=True):
        if token.type == "heading_open" and following is not None:
            level = int(token.tag[1:])
            titles = {each: title for each, title in titles.items() if each < level} | {level: following.content}
            files = {each: inside for each, inside in files.items() if each < level}
        elif token.type == "fence" and token.map and (named := TITLE.search(token.info)):
            files.setdefault(level, {})[named[1]] = token.content
        elif token.type == "fence" and token.map and token.info == "console":
            all_of_them = [each for inside in files.values() for each in inside.items()]
            found.append(Case(page, " > ".join(titles.values()), (*all_of_them,), token.content, *token.map))
    return found


def ended(text: str) -> str:
    return text if text.endswith("\n") or not text else f"{text}\n"


def printed(command: str, folder: Path) -> str:
    """Return what a command prints, and its status."""
    words = shlex.split(command)
    if words[0] == "touch":
        for name in words[1:]:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).touch()
        return ""
    if words[0] == "printf":
        (folder / words[3]).write_bytes(words[1].encode("latin-1").decode("unicode_escape").encode("latin-1"))
        return ""
    if words[0] == "ln":
        (folder / words[3]).symlink_to(words[2])
        return ""
    if words[0] == "cat":
        return "".join([ended((folder / name).read_text("utf-8")) for name in words[1:]])
    sent = ""
    if "<" in words:
        *words, _, name = words
        sent = (folder / name).read_text("utf-8")
    done = run(folder, *words[1:], sent=sent, COLUMNS="120")
    status = f"[{done.returncode}]\n" if done.returncode else ""
    shown = ended(done.stdout) + ended(done.stderr)
    return shown.replace(str(folder), "FOLDER").replace(os.sep, "/") + status


CASES = [case for page in sorted(HERE.glob("*.md")) for case in cases_in(page)]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.page.stem}:{case.start} {case.title}")
def test_commands_print_what_the_page_shows(case: Case, tmp_path: Path) -> None:
    if case.page.stem == "discover":
        pytest.importorskip("tree_sitter_typescript", reason="llmblocks[code] is not installed")
    for name, text in case.files:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8", newline="")
    commands = re.findall(r"^\$ .*\n", case.commands, re.MULTILINE)
    found = "".join([command + printed(command[2:], tmp_path) for command in commands])
    if os.environ.get("LLMBLOCKS_GOLDEN") and found != case.commands:
        text = case.page.read_text("utf-8")
        case.page.write_text(text.replace(f"console\n{case.commands}```", f"console\n{found}```", 1), "utf-8")
    else:
        assert found == case.commands
