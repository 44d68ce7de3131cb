"""The page's lines for Helix in a real Helix, with the real server, and texts of ours in other files."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from editors.embedded_texts import BESIDE, CODE, NOTES
from editors.helix.conftest import PAGE
from editors.programs import Program
from editors.terminal import Terminal

CALL = "!!!GADGET_START:Sum:total\n!!!ARG:numbers/0\nseven\n!!!ARG:numbers/2\n8\n!!!GADGET_END\n"


def environment_of(helix: Program, folder: Path, *, server: bool = True) -> dict[str, str]:
    """Return the environment of a Helix that keeps everything inside `folder`."""
    homes = {f"XDG_{name}_HOME": str(folder / name.lower()) for name in ("CONFIG", "DATA", "STATE", "CACHE")}
    path = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"])) if server else "/usr/bin:/bin"
    terminal = {"HOME": str(folder), "PATH": path, "TERM": "xterm-256color", "COLORTERM": "truecolor"}
    return os.environ | helix.environment | homes | terminal


def opened(
    helix: Program,
    configuration: Path,
    folder: Path,
    file: Path,
    *,
    config: bool = True,
    more: str = "",
    server: bool = True,
    size: tuple[int, int] = (40, 160),
) -> Terminal:
    """Return a file in a new Helix that keeps everything inside `folder`.

    Returns:
        With or without the page's `config.toml`, `more` in its `languages.toml`, and the server on its PATH.
    """
    home = folder / "config" / "helix"
    shutil.copytree(configuration, home, symlinks=True, dirs_exist_ok=True)
    with (home / "languages.toml").open("a", encoding="utf-8") as languages:
        languages.write(more)
    settings = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)[0] if config else "[editor]\n"
    (home / "config.toml").write_text(f'{settings}end-of-line-diagnostics = "hint"\n', encoding="utf-8")
    environment = environment_of(helix, folder, server=server)
    return Terminal([str(helix.path), str(file)], environment, file.parent, size)


def insert(terminal: Terminal, text: str) -> None:
    """Type a text at the cursor. A key right after Escape would be one with Alt."""
    terminal.press(f"i{text}")
    terminal.shows("INS")
    terminal.press("\x1b")
    terminal.shows("NOR")


def close(terminal: Terminal) -> None:
    """Close what is open. A key right after Escape would be one with Alt."""
    terminal.press("\x1b")
    terminal.until(lambda: bool(terminal.drawn))


def save(terminal: Terminal, file: Path, expected: str) -> None:
    """Save and leave, and look at what is on disk then."""
    terminal.press(":write-quit\r")
    terminal.end()
    assert file.read_bytes().decode() == expected


@pytest.mark.parametrize("name", [".llmist/logs/brave-otter/sub/last.response", "brave-otter/0007.response"])
def test_a_session_log_of_llmist_gets_its_diagnostics(
    helix: Program, configuration: Path, tmp_path: Path, name: str
) -> None:
    file = tmp_path / name
    file.parent.mkdir(parents=True)
    file.write_text("!!!GADGET_START:Greet\n!!!ARG:name\nAda\n!!!ARG:name\nBob\n!!!GADGET_END\n", encoding="utf-8")
    with opened(helix, configuration, tmp_path, file) as terminal:
        terminal.shows("Duplicate pointer: name")
        terminal.press(":quit\r")
        terminal.end()


def test_saving_keeps_the_end_of_each_file(helix: Program, configuration: Path, tmp_path: Path) -> None:
    ends = {
        tmp_path / f"{number}.{suffix}": end
        for suffix in ("gadget", "stf", "blocks")
        for number, end in enumerate(("", "\n", " \n\n"))
    }
    with opened(helix, configuration, tmp_path, tmp_path / "none.txt") as terminal:
        terminal.shows("NOR")
        for file, end in ends.items():
            file.write_text(f"text{end}", encoding="utf-8")
            terminal.press(f":open {file}\r")
            terminal.shows(file.name)
            insert(terminal, "more ")
            terminal.press(":write\r")
            # what it says of the new file
            terminal.shows("written")
            assert file.read_bytes().decode() == f"more text{end}"


@pytest.mark.parametrize(("name", "end"), [("end.stf", ""), ("end.txt", "\n")])
def test_an_editorconfig_keeps_the_end_of_these_files_alone(
    helix: Program, configuration: Path, tmp_path: Path, name: str, end: str
) -> None:
    (ini,) = re.findall(r"```ini\n(.*?)```", PAGE, re.DOTALL)
    (tmp_path / ".editorconfig").write_text(ini, encoding="utf-8")
    file = tmp_path / name
    file.write_text("text", encoding="utf-8")
    with opened(helix, configuration, tmp_path, file, config=False) as terminal:
        terminal.shows("text")
        insert(terminal, "more ")
        save(terminal, file, f"more text{end}")


@pytest.mark.parametrize(("header", "command"), [("@", ""), (";", ":set-language stf-semicolon\r")])
def test_a_comment_is_toggled_in_the_dialect_that_was_said(
    helix: Program, configuration: Path, tmp_path: Path, header: str, command: str
) -> None:
    file = tmp_path / "chat.stf"
    file.write_text(f"hello\n{header}user\n@# one\n;# two\n", encoding="utf-8")
    with opened(helix, configuration, tmp_path, file) as terminal:
        terminal.shows("hello")
        # Ctrl-c comments the line of the cursor
        terminal.press(f"{command}\x03jj\x03j\x03")
        save(terminal, file, f"{header}# hello\n{header}user\none\ntwo\n")


def test_colours_need_no_server(helix: Program, configuration: Path, tmp_path: Path) -> None:
    if not shutil.which("cc"):
        pytest.skip("no C compiler to build the grammars with")
    file = tmp_path / "a.gadget"
    file.write_text(f"text before\n{CALL}", encoding="utf-8")
    with opened(helix, configuration, tmp_path, file, server=False) as terminal:
        terminal.shows("!!!GADGET_END")
        marker, value, number = (terminal.colour_of(text) for text in ("!!!ARG:", "seven", "8"))
        assert "" not in (marker, value, number)
        assert len({marker, value, number, terminal.colour_of("sum")}) == 4
        terminal.press(":quit\r")
        terminal.end()


def test_a_paragraph_in_one_line_is_shown_to_its_end(helix: Program, configuration: Path, tmp_path: Path) -> None:
    file = tmp_path / "chat.stf"
    file.write_text("@user\n" + "What of this? " * 20 + "It ends here.\n", encoding="utf-8")
    with opened(helix, configuration, tmp_path, file, server=False) as terminal:
        terminal.shows("It ends here.")


def test_hover_completion_names_and_fixes_come_from_the_server(
    helix: Program, configuration: Path, tmp_path: Path
) -> None:
    file = tmp_path / "a.gadget"
    file.write_text(f"{CALL}!!!GADGET_START:Show:s:total\n!!!GADGET_END\n", encoding="utf-8")
    with opened(helix, configuration, tmp_path, file) as terminal:
        terminal.shows("Array index gap")
        terminal.press("fS k")
        terminal.shows("gadget call, rejected: Array index gap")
        close(terminal)
        terminal.press("gg2f:l r")
        terminal.shows("rename-to")
        terminal.press("\x15sum\r")
        # only what differs is drawn
        terminal.until(lambda: terminal.drawn.count("sum") >= 2)
        # to the index that leaves a gap
        terminal.press("4gggl a")
        terminal.shows("Change")
        terminal.press("\r")
        terminal.until(lambda: "Change" not in terminal.drawn and bool(terminal.drawn))
        terminal.press("geo!!!")
        terminal.shows("!!!GADGET_START:")
        # closes the list, too
        terminal.press("\x1b")
        terminal.shows("NOR")
        terminal.press("u:write-quit\r")
        terminal.end()
    text = file.read_text(encoding="utf-8")
    assert "Sum:sum\n" in text
    assert "!!!ARG:numbers/1\n8" in text


def test_the_line_that_is_typed_shows_no_mistake(helix: Program, configuration: Path, tmp_path: Path) -> None:
    file = tmp_path / "a.stf"
    file.write_text("@one\n", encoding="utf-8")
    with opened(helix, configuration, tmp_path, file) as terminal:
        terminal.shows("Unknown command 'one'")
        terminal.press("O@two")
        # it would be there in much less
        terminal.rests(0.5)
        assert "Unknown command 'two'" not in terminal.drawn
        terminal.press("\r")
        terminal.shows("Unknown command 'two'")


def test_the_settings_file_of_a_project_has_mistakes_completion_and_hover(
    helix: Program, configuration: Path, tmp_path: Path
) -> None:
    file = tmp_path / "llmblocks.toml"
    file.write_text("[stf]\ndialct = ';'\n", encoding="utf-8")
    with opened(helix, configuration, tmp_path, file) as terminal:
        terminal.shows("unknown setting")
        # to the name, and to its end
        terminal.press("2ggecdialect")
        terminal.press("\x1b")
        terminal.shows("NOR")
        terminal.until(lambda: "unknown setting" not in terminal.drawn)
        terminal.press("odefau")
        terminal.shows("defaultRole")
        terminal.press("\x1b")
        terminal.shows("NOR")
        terminal.press("u2gg k")
        terminal.shows("The dialect of STF files")
        close(terminal)
        save(terminal, file, "[stf]\ndialect = ';'\n")


def test_the_health_check_finds_server_and_grammars(helix: Program, configuration: Path, tmp_path: Path) -> None:
    home = tmp_path / "config" / "helix"
    shutil.copytree(configuration, home, symlinks=True)
    for language in ("gadget", "stf", "custom-blocks", "stf-semicolon"):
        command = [str(helix.path), "--health", language]
        environment = environment_of(helix, tmp_path)
        said = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, check=True).stdout
        plain = re.sub(r"\x1b\[[0-9;]*m", "", said)
        assert "✓ llmblocks: " in plain
        assert "Highlight queries: ✓" in plain
        if shutil.which("cc"):
            assert "Tree-sitter parser: ✓" in plain
    # its signs are those of a template: there is no grammar
    command = [str(helix.path), "--health", "completion"]
    environment = environment_of(helix, tmp_path)
    assert "llmblocks: " in subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120).stdout


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
