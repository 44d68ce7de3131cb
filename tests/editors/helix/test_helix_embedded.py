"""Texts of ours in others, beside another server, and the tree-sitter grammars, in a real Helix."""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from editors.embedded_texts import BESIDE, CODE, NOTES
from editors.helix.conftest import PAGE
from editors.helix.test_helix import opened
from editors.programs import Program
from editors.terminal import Terminal

[LANGUAGE] = re.findall(r"```toml\n(\[\[language\]\]\nname = \"markdown\"\n.*?)```", PAGE, re.DOTALL)
[OF_CODE] = re.findall(r"```toml\n(\[\[language\]\]\nname = \"python\"\n.*?)```", PAGE, re.DOTALL)
OTHER = f"[language-server.marksman]\ncommand = {json.dumps(BESIDE[0])}\nargs = {json.dumps(BESIDE[1:])}\n"


def test_a_fence_has_findings_hover_and_completion_beside_another_server(
    helix: Program, configuration: Path, tmp_path: Path
) -> None:
    file = tmp_path / "notes.md"
    file.write_text(NOTES, encoding="utf-8")
    with opened(helix, configuration, tmp_path, file, more=f"\n{LANGUAGE}{OTHER}") as terminal:
        terminal.until(lambda: {"from beside", "Array index gap"} <= {*_said(terminal.drawn)}, "both findings")
        terminal.press("4ggfR k")
        terminal.shows("beside, in line 4")
        terminal.press("\x1b")
        terminal.rests(0.05)
        terminal.press("6ggA\r> !!!A")
        terminal.shows("!!!ARG:path/3")
        terminal.press("\x1b")
        terminal.shows("NOR")
        terminal.press(":quit!\r")
        terminal.end()


@pytest.mark.parametrize("language", ["python", "jsonl"])
def test_strings_of_code_and_rows_of_data_have_findings(
    helix: Program, configuration: Path, tmp_path: Path, language: str
) -> None:
    name, text = CODE[language]
    file = tmp_path / name
    file.write_text(text, encoding="utf-8")
    other = OTHER.replace("marksman", "ruff")
    with opened(helix, configuration, tmp_path, file, more=f"\n{OF_CODE}{other}") as terminal:
        wanted = {"Array index gap"} | ({"from beside"} if language == "python" else set())
        terminal.until(lambda: wanted <= {*_said(terminal.drawn)}, "the findings")
        terminal.press(":quit!\r")
        terminal.end()


def _said(drawn: str) -> list[str]:
    return re.findall("from beside|Array index gap", drawn)


@pytest.fixture(scope="module")
def environment(helix: Program, configuration: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """A home in which the steps of the page have been taken."""
    if not shutil.which("cc"):
        pytest.skip("no C compiler to build the parsers with: apt-get install gcc libc6-dev")
    home = tmp_path_factory.mktemp("home")
    shutil.copytree(configuration, home / ".config" / "helix", symlinks=True)
    # the theme of a terminal with few colours knows neither tags nor attributes
    (home / ".config" / "helix" / "config.toml").write_text("[editor]\ntrue-color = true\n", encoding="utf-8")
    found = os.environ | helix.environment | {"HOME": str(home), "TERM": "xterm-256color"}
    return {name: value for name, value in found.items() if not name.startswith("XDG_")}


@pytest.fixture(scope="module")
def terminal(
    helix: Program, environment: dict[str, str], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Terminal]:
    """A Helix for all files."""
    with Terminal([str(helix.path)], environment, tmp_path_factory.mktemp("files")) as terminal:
        terminal.shows("[scratch]")
        yield terminal


@pytest.mark.parametrize(
    ("name", "text", "keys", "capture"),
    [
        ("a.gadget", "!!!GADGET_START:Sum\n!!!ARG:n\n1e5\n!!!ARG:m\n42\n!!!GADGET_END\n", "j" * 4, "constant.numeric"),
        ("b.gadget", "!!!GADGET_START:Sum\n!!!ARG:n\n1e5\n!!!ARG:m\n42\n!!!GADGET_END\n", "j" * 2, "string"),
        ("a.stf", "@user\n!!!GADGET_START:Sum\n@# note\n!!!ARG:n\n1\n", "jjj", "keyword"),
        ("b.stf", "@user\nsee <think>it</think>\n", "jwll", "tag"),
        ("a.blocks", "<think a='b'>it</think>\n", "ww", "attribute"),
    ],
)
def test_a_place_has_the_colour_of_its_grammar(
    terminal: Terminal, tmp_path: Path, name: str, text: str, keys: str, capture: str
) -> None:
    file = tmp_path / name
    file.write_text(text, encoding="utf-8")
    terminal.press(f":open {file}\r")
    terminal.shows(name)
    terminal.press(f"{keys}:tree-sitter-highlight-name\r")
    terminal.shows(capture)
