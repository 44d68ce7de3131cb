"""The README's lines for Helix in a real Helix, with the real server."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

import pytest

from editors.debian import UnavailableError
from editors.helix.helix_install import Helix, install
from editors.helix.terminal import Terminal

ROOT = Path(__file__).resolve().parents[3]
SECTION = (ROOT / "README.md").read_text(encoding="utf-8").split("### Helix")[1].split("\n## ")[0]


@pytest.fixture(scope="session")
def helix() -> Helix:
    try:
        return install()
    except UnavailableError as why:
        pytest.skip(str(why))


def opened(helix: Helix, folder: Path, file: Path, *, config: bool = True) -> Terminal:
    """A file in a new Helix that keeps everything inside `folder`, with or without the README's `config.toml`."""
    languages, settings = re.findall(r"```toml\n(.*?)```", SECTION, re.DOTALL)
    home = folder / "config" / "helix"
    home.mkdir(parents=True, exist_ok=True)
    (home / "languages.toml").write_text(languages, encoding="utf-8")
    shown = (
        '[editor]\nend-of-line-diagnostics = "hint"\n'
        if not config
        else f'{settings}end-of-line-diagnostics = "hint"\n'
    )
    (home / "config.toml").write_text(shown, encoding="utf-8")
    homes = {f"XDG_{name}_HOME": str(folder / name.lower()) for name in ("CONFIG", "DATA", "STATE", "CACHE")}
    path = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))
    environment = os.environ | helix.environment | homes | {"HOME": str(folder), "PATH": path, "TERM": "xterm-256color"}
    return Terminal([str(helix.program), str(file)], environment, file.parent)


def insert(terminal: Terminal, text: str) -> None:
    """Type a text at the cursor. Whatever follows Escape at once would be taken for a key with Alt."""
    terminal.press(f"i{text}")
    terminal.shows("INS")
    terminal.press("\x1b")
    terminal.shows("NOR")


def save(terminal: Terminal, file: Path, expected: str) -> None:
    """Save and leave, and look at what is on disk then."""
    terminal.press(":write-quit\r")
    terminal.end()
    assert file.read_bytes().decode() == expected


@pytest.mark.parametrize("name", [".llmist/logs/brave-otter/sub/last.response", "brave-otter/0007.response"])
def test_a_session_log_of_llmist_gets_its_diagnostics(helix: Helix, tmp_path: Path, name: str) -> None:
    file = tmp_path / name
    file.parent.mkdir(parents=True)
    file.write_text("!!!GADGET_START:Greet\n!!!ARG:name\nAda\n!!!ARG:name\nBob\n!!!GADGET_END\n", encoding="utf-8")
    with opened(helix, tmp_path, file) as terminal:
        terminal.shows("Duplicate pointer: name")
        terminal.press(":quit\r")
        terminal.end()


@pytest.mark.parametrize("suffix", ["gadget", "stf", "blocks"])
@pytest.mark.parametrize("end", ["", "\n", " \n\n"], ids=repr)
def test_saving_keeps_the_end_of_the_file(helix: Helix, tmp_path: Path, suffix: str, end: str) -> None:
    file = tmp_path / f"end.{suffix}"
    file.write_text(f"text{end}", encoding="utf-8")
    with opened(helix, tmp_path, file) as terminal:
        terminal.shows("text")
        insert(terminal, "more ")
        save(terminal, file, f"more text{end}")


@pytest.mark.parametrize(("name", "end"), [("end.stf", ""), ("end.txt", "\n")])
def test_an_editorconfig_keeps_the_end_of_these_files_alone(helix: Helix, tmp_path: Path, name: str, end: str) -> None:
    (ini,) = re.findall(r"```ini\n(.*?)```", SECTION, re.DOTALL)
    (tmp_path / ".editorconfig").write_text(ini, encoding="utf-8")
    file = tmp_path / name
    file.write_text("text", encoding="utf-8")
    with opened(helix, tmp_path, file, config=False) as terminal:
        terminal.shows("text")
        insert(terminal, "more ")
        save(terminal, file, f"more text{end}")


@pytest.mark.parametrize(("header", "command"), [("@", ""), (";", ":set-language stf-semicolon\r")])
def test_a_comment_is_toggled_in_the_dialect_that_was_said(
    helix: Helix, tmp_path: Path, header: str, command: str
) -> None:
    file = tmp_path / "chat.stf"
    file.write_text(f"hello\n{header}user\n@# one\n;# two\n", encoding="utf-8")
    with opened(helix, tmp_path, file) as terminal:
        terminal.shows("hello")
        # Ctrl-c comments the line of the cursor
        terminal.press(f"{command}\x03jj\x03j\x03")
        save(terminal, file, f"{header}# hello\n{header}user\none\ntwo\n")
