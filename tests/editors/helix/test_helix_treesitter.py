"""The tree-sitter grammars in a real Helix, installed as docs/editors/tree-sitter.md says."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from editors.helix.helix_install import Helix
from editors.helix.terminal import Terminal
from editors.helix.test_helix import ROOT, SECTION, helix

__all__ = ["helix"]

PAGE = (ROOT / "docs" / "editors" / "tree-sitter.md").read_text(encoding="utf-8").split("## Helix")[1].split("\n## ")[0]


@pytest.fixture(scope="module")
def environment(helix: Helix, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """A home in which the steps of the page have been taken."""
    if not shutil.which("cc"):
        pytest.skip("no C compiler to build the parsers with: apt-get install gcc libc6-dev")
    home = tmp_path_factory.mktemp("home")
    found = os.environ | helix.environment | {"HOME": str(home), "TERM": "xterm-256color"}
    found["PATH"] = os.pathsep.join((str(helix.program.parent), os.environ["PATH"]))
    for name in ("CONFIG", "DATA", "STATE", "CACHE"):
        found.pop(f"XDG_{name}_HOME", None)
    (grammars,) = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    languages = re.findall(r"```toml\n(.*?)```", SECTION, re.DOTALL)[0]
    for name, grammar in (("custom-blocks", "custom_blocks"), ("stf-semicolon", "stf")):
        entry = f'[[language]]\nname = "{name}"\n'
        assert entry in languages
        assert f'`grammar = "{grammar}"`' in PAGE
        languages = languages.replace(entry, f'{entry}grammar = "{grammar}"\n')
    only = re.findall(r"`(use-grammars = .*?)`", PAGE)[0]
    config = home / ".config" / "helix"
    config.mkdir(parents=True)
    (config / "languages.toml").write_text(placed(f"{only}\n{grammars}\n{languages}"), encoding="utf-8")
    # the theme of a terminal with few colours knows neither tags nor attributes
    (config / "config.toml").write_text("[editor]\ntrue-color = true\n", encoding="utf-8")
    (console,) = re.findall(r"```console\n(.*?)```", PAGE, re.DOTALL)
    commands = "\n".join(line.removeprefix("$ ") for line in placed(console).splitlines())
    done = subprocess.run(["sh", "-ec", commands], env=found, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return found


def placed(text: str) -> str:
    return text.replace("/path/to/llmblocks", str(ROOT))


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
    helix: Helix, environment: dict[str, str], tmp_path: Path, name: str, text: str, keys: str, capture: str
) -> None:
    file = tmp_path / name
    file.write_text(text, encoding="utf-8")
    with Terminal([str(helix.program), str(file)], environment, tmp_path) as terminal:
        terminal.shows(text.split("\n")[0][:5])
        terminal.press(f"{keys}:tree-sitter-highlight-name\r")
        terminal.shows(capture)
