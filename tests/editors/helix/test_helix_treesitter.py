"""The tree-sitter grammars in a real Helix, installed as docs/editors/helix.md says."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from editors.helix.helix_install import Helix
from editors.terminal import Terminal


@pytest.fixture(scope="module")
def environment(helix: Helix, configuration: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
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
def terminal(helix: Helix, environment: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Terminal]:
    """A Helix for all files."""
    with Terminal([str(helix.program)], environment, tmp_path_factory.mktemp("files")) as terminal:
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
