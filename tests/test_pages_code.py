"""The code on all pages: each program has a test that runs it; each command, target, file and setting exists."""

from __future__ import annotations

import json
import re
import shlex
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from llmblocks import check
from llmblocks.cli.arguments import COMMANDS, parser
from llmblocks.languages.registry import language_ids
from llmblocks.settings.schema import SCHEMA
from llmblocks.settings.sources import read_settings_text

ROOT = Path(__file__).parents[1]
WRITTEN = {"CHANGELOG.md", "docs/commands.md", "docs/features.md", "docs/refactorings.md"}
"""Pages that are about other versions, or that the program writes itself: `make generate`."""
PAGES = {
    name: path.read_text("utf-8")
    for pattern in (
        "*.md",
        ".github/*.md",
        "docs/**/*.md",
        "editors/*/README.md",
        "editors/web/*/README.md",
        "editors/*/skills/*/*.md",
    )
    for path in sorted(ROOT.glob(pattern))
    if (name := path.relative_to(ROOT).as_posix()) not in WRITTEN
    and "node_modules" not in name
    and path.parent.name != "rules"
}
RUN = {
    "README.md": "tests/cli/test_pages.py",
    "docs/differences.md": "tests/test_differences.py",
    "docs/editors/emacs.md": "tests/editors/emacs/test_emacs.py",
    "docs/editors/helix.md": "tests/editors/helix/conftest.py",
    "docs/editors/kakoune.md": "tests/editors/configured/test_kakoune.py",
    "docs/editors/neovim.md": "tests/editors/neovim/test_neovim_page.py",
    "docs/editors/tree-sitter.md": "tests/editors/treesitter/test_packages.py",
    "docs/embedded.md": "tests/hosts/test_embedded_page.py",
    "docs/extending.md": "tests/e2e/test_extensions.py",
    "docs/formats/completions.md": "tests/formats/test_guides.py",
    "docs/formats/custom-blocks.md": "tests/formats/test_guides.py",
    "docs/formats/gadget.md": "tests/formats/test_guides.py",
    "docs/formats/stf.md": "tests/formats/test_guides.py",
    "docs/grammars.md": "tests/grammars/test_completion_grammar.py",
    "docs/scale.md": "tests/report/test_scale.py",
    "docs/schemas.md": "tests/schemas/test_schemas_page.py",
    "docs/server.md": "tests/editors/neovim/test_neovim_page.py",
    "docs/sessions.md": "tests/cli/test_pages.py",
    "editors/npm/README.md": "tests/peers/recipes.mjs",
    "editors/playground/README.md": "tests/editors/playground/embed.mjs",
    "editors/web/server/README.md": "tests/editors/web/readme.mjs",
}
"""The test that runs the programs of a page."""
SITE = "tests/site/test_pages.py"
"""The one of all other pages."""
MAKEFILES = [
    ROOT / name for name in ("Makefile", *re.findall(r"^-include (.*)", (ROOT / "Makefile").read_text(), re.M))
]
TARGETS = {*re.findall(r"^([a-z-]+):", "\n".join(file.read_text("utf-8") for file in MAKEFILES), re.MULTILINE)}
PROGRAMS = {"python", "js", "typescript", "lua", "elisp", "kak", "html"}
BLOCK = re.compile(r"^ *(`{3,})(\w*)([^\n]*)\n(.*?)^ *\1$", re.DOTALL | re.MULTILINE)
COMMAND = re.compile(
    r"(?:^\s*(?:\$ )?|`|\brun: |npx |docker run [^`\n]*? |\| )(llmblocks [a-z]+\b[^`\n]*)", re.MULTILINE
)


def blocks(name: str) -> Iterator[tuple[str, str]]:
    """Yield the code blocks of a page: language, text."""
    for block in BLOCK.finditer(PAGES[name]):
        yield block[2], block[4]


@pytest.mark.parametrize("name", PAGES)
def test_the_programs_of_a_page_have_a_test(name: str) -> None:
    if PROGRAMS & {language for language, _ in blocks(name)} and Path(name).parent.name not in ("api", "tutorials"):
        assert Path(name).name in (ROOT / RUN.get(name, SITE)).read_text("utf-8")


def commands(text: str) -> Iterator[str]:
    for command in COMMAND.findall(text):
        words = shlex.split(command, comments=True)
        # a sentence may begin with the name of the program
        if words[1] in {each.name for each in COMMANDS}:
            yield command


@pytest.mark.parametrize("name", PAGES)
def test_each_command_is_one_that_there_is(name: str) -> None:
    top = parser(*COMMANDS)
    for command in commands(PAGES[name]):
        words = shlex.split(command, comments=True)
        end = min((words.index(each) for each in ("|", ">", "&&") if each in words), default=len(words))
        if len(words) > 2:
            top.parse_args(words[1:end])


@pytest.mark.parametrize("name", PAGES)
def test_each_target_of_make_and_each_file_is_there(name: str) -> None:
    targets = {
        target for _, text in blocks(name) for target in re.findall(r"^(?:\$ )?make ([a-z-]+)", text, re.MULTILINE)
    }
    if name != "docs/releasing.md":
        # its table has the checks of other projects
        targets |= set(re.findall(r"`make ([a-z-]+)", PAGES[name]))
    assert targets <= TARGETS
    files = re.findall(r"/path/to/llmblocks/([\w./*-]+)", PAGES[name])
    assert [file for file in files if not [*ROOT.glob(file.rstrip("/"))]] == []


@pytest.mark.parametrize("name", PAGES)
def test_each_json_and_each_toml_can_be_read(name: str) -> None:
    for language, text in blocks(name):
        if language == "json":
            json.loads(text)
        # the others are files of Helix
        if language == "toml" and set(tomllib.loads(text)) <= set(SCHEMA["properties"]):
            assert read_settings_text(text, language_ids()).findings == ()


def test_the_calls_on_the_start_page_have_three_mistakes() -> None:
    (text,) = re.findall(r"<pre>\n(.*?)</pre>", PAGES["docs/index.md"], re.DOTALL)
    assert "three mistakes" in PAGES["docs/index.md"]
    assert len(check(text, "gadget")) == 3
