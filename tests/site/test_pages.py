"""The programs and commands of the pages run, in order, in a folder with the files that they show."""

from __future__ import annotations

import io
import re
import shlex
import sys
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from llmblocks.cli.commands import main

DOCS = Path(__file__).parents[2] / "docs"
PAGES = sorted(
    [DOCS / name for name in ("index.md", "check.md", "recipes.md", "how-it-works.md", "questions.md", "glossary.md")]
    + [DOCS / name for name in ("formats/request.md", "repair.md", "report.md")]
    + [*(DOCS / "tutorials").glob("*.md"), *(DOCS / "api").glob("*.md")]
)
"""The pages that are tested here; others have tests beside the code that they describe."""
BLOCK = re.compile(r"^(`{3,})(\w*)(?: title=\"([^\"]*)\")?\n(.*?)^\1$", re.DOTALL | re.MULTILINE)
MODULES = {"README": "llmblocks"} | {
    name: f"llmblocks.{name}"
    for name in ("gadget", "stf", "tags", "completions", "compose", "request", "sessions", "report")
}
OTHERS = ("pipx", "code", "git", "make")
"""Programs that install or show something: what they do is tested where they are."""


class Block(NamedTuple):
    """A code block of a page."""

    language: str
    file: str
    """The name of the file that it shows."""
    text: str


def blocks(page: Path) -> Iterator[Block]:
    for block in BLOCK.finditer(page.read_text("utf-8")):
        yield Block(block[2], block[3] or "", block[4])


@pytest.mark.parametrize("page", PAGES, ids=lambda page: f"{page.parent.name}/{page.stem}")
def test_a_page_does_what_it_says(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # one that shows no files is about those of the repository
    monkeypatch.chdir(tmp_path if any(block.file for block in blocks(page)) else DOCS.parent)
    monkeypatch.syspath_prepend(tmp_path)
    before = set(sys.modules)
    shown = ""
    for block in blocks(page):
        if block.file:
            Path(block.file).parent.mkdir(parents=True, exist_ok=True)
            Path(block.file).write_text(block.text, "utf-8")
        if block.language == "console":
            _run_commands(block.text)
        elif block.language == "python":
            assert not shown, "a program before this one prints what the page does not show"
            shown = _output(block)
        elif block.language == "text" and not block.file:
            assert block.text == shown
            shown = ""
    assert not shown
    for name in set(sys.modules) - before:
        if str(getattr(sys.modules[name], "__file__", "")).startswith(str(tmp_path)):
            del sys.modules[name]


def _output(block: Block) -> str:
    out = io.StringIO()
    scope: dict[str, Any] = {"__name__": "example"}
    with redirect_stdout(out):
        exec(compile(block.text, block.file or "example", "exec"), scope)
    return out.getvalue()


def _run_commands(text: str) -> None:
    for command, said in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", text, re.MULTILINE):
        program, *arguments = shlex.split(command)
        if program in OTHERS:
            assert not said
            continue
        assert program == "llmblocks", f"nobody tests {program}"
        out = io.TextIOWrapper(io.BytesIO(), "utf-8", newline="", write_through=True)
        with redirect_stdout(out), redirect_stderr(out):
            main(arguments)
        out.flush()
        assert out.buffer.getvalue().decode() == said, command


@pytest.mark.parametrize("name", MODULES)
def test_every_public_name_has_its_docstring_and_an_example_beside_it(name: str) -> None:
    module = import_module(MODULES[name])
    page = (DOCS / "api" / f"{name}.md").read_text("utf-8")
    public = getattr(module, "__all__", ["GadgetTransform", "GadgetDelta"])
    listed = re.findall(r"by make generate: ([\w.]+) ", page)
    assert sorted(listed) == sorted(f"{MODULES[name]}.{each}" for each in public)
    for section in page.split("\n## ")[1:]:
        programs = " ".join(re.findall(r"^```python\n(.*?)^```$", section, re.DOTALL | re.MULTILINE))
        names = re.findall(r"by make generate: [\w.]+\.(\w+) ", section)
        assert names
        assert [each for each in names if not re.search(rf"\b{each}\b", programs.partition("\n\n")[2])] == []
