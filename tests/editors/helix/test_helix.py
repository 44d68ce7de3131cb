"""The page's lines for Helix in a real Helix, with the real server, and texts of ours in other files."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

from editors.embedded_texts import BESIDE, CODE, NOTES
from editors.helix.conftest import PAGE, Helix
from editors.homes import programs_of
from editors.programs import output
from editors.screen import coloured
from editors.terminal import Terminal
from folders import written

CALL = "!!!GADGET_START:Sum:total\n!!!ARG:numbers/0\nseven\n!!!ARG:numbers/2\n8\n!!!GADGET_END\n"
needs_a_compiler = pytest.mark.skipif(not shutil.which("cc"), reason="no C compiler to build the grammars with")


def normal(terminal: Terminal) -> None:
    """Leave what is open or inserted. A key right after Escape would be one with Alt."""
    terminal.press("\x1b")
    terminal.shows("NOR")


def insert(terminal: Terminal, text: str) -> None:
    """Type a text at the cursor."""
    terminal.press(f"i{text}")
    terminal.shows("INS")
    normal(terminal)


def leave(terminal: Terminal, command: str = "quit!") -> None:
    """Leave the editor."""
    terminal.press(f":{command}\r")
    terminal.end()


def save(terminal: Terminal, file: Path, expected: str) -> None:
    """Save and leave, and look at what is on disk then."""
    leave(terminal, "write-quit")
    assert file.read_bytes().decode() == expected


@pytest.mark.parametrize("name", [".llmist/logs/brave-otter/sub/last.response", "brave-otter/0007.response"])
def test_a_session_log_of_llmist_gets_its_diagnostics(hx: Helix, name: str) -> None:
    text = "!!!GADGET_START:Greet\n!!!ARG:name\nAda\n!!!ARG:name\nBob\n!!!GADGET_END\n"
    with hx.show(name, text) as terminal:
        terminal.shows("Duplicate pointer: name")
        leave(terminal, "quit")


def test_saving_keeps_the_end_of_each_file(hx: Helix) -> None:
    with hx.show("none.txt", "") as terminal:
        terminal.shows("NOR")
        for suffix in ("gadget", "stf", "blocks"):
            for number, end in enumerate(("", "\n", " \n\n")):
                file = written(hx.home / f"{number}.{suffix}", f"text{end}")
                terminal.press(f":open {file}\r")
                terminal.shows(file.name)
                insert(terminal, "more ")
                terminal.press(":write\r")
                # what it says of the new file
                terminal.shows("written")
                assert file.read_bytes().decode() == f"more text{end}"


@pytest.mark.parametrize(("name", "end"), [("end.stf", ""), ("end.txt", "\n")])
def test_an_editorconfig_keeps_the_end_of_these_files_alone(hx: Helix, name: str, end: str) -> None:
    written(hx.home / ".editorconfig", *programs_of(PAGE, "ini"))
    with hx.show(name, "text", config=False) as terminal:
        terminal.shows("text")
        insert(terminal, "more ")
        save(terminal, hx.home / name, f"more text{end}")


@pytest.mark.parametrize(("header", "command"), [("@", ""), (";", ":set-language stf-semicolon\r")])
def test_a_comment_is_toggled_in_the_dialect_that_was_said(hx: Helix, header: str, command: str) -> None:
    with hx.show("chat.stf", f"hello\n{header}user\n@# one\n;# two\n") as terminal:
        terminal.shows("hello")
        # Ctrl-c comments the line of the cursor
        terminal.press(f"{command}\x03jj\x03j\x03")
        save(terminal, hx.home / "chat.stf", f"{header}# hello\n{header}user\none\ntwo\n")


@needs_a_compiler
def test_colours_need_no_server(hx: Helix) -> None:
    with hx.show("a.gadget", f"text before\n{CALL}", server=False) as terminal:
        terminal.shows("!!!GADGET_END")
        colours = dict(coloured(terminal))
        assert len({"default", *(colours[text] for text in ("!!!ARG:", "seven", "8", "Sum"))}) == 5
        leave(terminal, "quit")


def test_a_paragraph_in_one_line_is_shown_to_its_end(hx: Helix) -> None:
    with hx.show("chat.stf", "@user\n" + "What of this? " * 20 + "It ends here.\n", server=False) as terminal:
        terminal.shows("It ends here.")


def test_hover_completion_names_and_fixes_come_from_the_server(hx: Helix) -> None:
    with hx.show("a.gadget", f"{CALL}!!!GADGET_START:Show:s:total\n!!!GADGET_END\n") as terminal:
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
        normal(terminal)
        terminal.press("u")
        leave(terminal, "write-quit")
    text = (hx.home / "a.gadget").read_text(encoding="utf-8")
    assert "Sum:sum\n" in text
    assert "!!!ARG:numbers/1\n8" in text


def close(terminal: Terminal) -> None:
    """Close a window that is open above the text. A key right after Escape would be one with Alt."""
    terminal.press("\x1b")
    terminal.until(lambda: bool(terminal.drawn))


def test_the_line_that_is_typed_shows_no_mistake(hx: Helix) -> None:
    with hx.show("a.stf", "@one\n") as terminal:
        terminal.shows("Unknown command 'one'")
        terminal.press("O@two")
        # it would be there in much less
        terminal.rests(0.5)
        assert "Unknown command 'two'" not in terminal.drawn
        terminal.press("\r")
        terminal.shows("Unknown command 'two'")


def test_the_settings_file_of_a_project_has_mistakes_completion_and_hover(hx: Helix) -> None:
    with hx.show("llmblocks.toml", "[stf]\ndialct = ';'\n") as terminal:
        terminal.shows("unknown setting")
        # to the name, and to its end
        terminal.press("2ggecdialect")
        normal(terminal)
        terminal.until(lambda: "unknown setting" not in terminal.drawn)
        terminal.press("odefau")
        terminal.shows("defaultRole")
        normal(terminal)
        terminal.press("u2gg k")
        terminal.shows("The dialect of STF files")
        close(terminal)
        save(terminal, hx.home / "llmblocks.toml", "[stf]\ndialect = ';'\n")


def test_the_health_check_finds_server_and_grammars(hx: Helix) -> None:
    hx.configured()

    def health(language: str) -> str:
        said = output(hx.program.path, "--health", language, env=hx.environment())
        return re.sub(r"\x1b\[[0-9;]*m", "", said)

    for language in ("gadget", "stf", "custom-blocks", "stf-semicolon"):
        said = health(language)
        assert "✓ llmblocks: " in said
        assert "Highlight queries: ✓" in said
        if shutil.which("cc"):
            assert "Tree-sitter parser: ✓" in said
    # its signs are those of a template: there is no grammar
    assert "llmblocks: " in health("completion")


TABLES = {re.findall('name = "(.*?)"', each)[0]: each for each in programs_of(PAGE, "toml") if "[[language]]" in each}
FINDINGS = {"from beside", "Array index gap"}


def beside(language: str, name: str) -> str:
    """Return the page's lines for a language, and another server in the place of one that Helix knows."""
    command = f"command = {json.dumps(BESIDE[0])}\nargs = {json.dumps(BESIDE[1:])}\n"
    return f"\n{TABLES[language]}[language-server.{name}]\n{command}"


def finds(terminal: Terminal, *found: str) -> None:
    terminal.until(lambda: all(each in terminal.drawn for each in found), f"all of {found}")


def test_a_fence_has_findings_hover_and_completion_beside_another_server(hx: Helix) -> None:
    with hx.show("notes.md", NOTES, more=beside("markdown", "marksman")) as terminal:
        finds(terminal, *FINDINGS)
        terminal.press("4ggfR k")
        terminal.shows("beside, in line 4")
        terminal.press("\x1b")
        terminal.rests(0.05)
        terminal.press("6ggA\r> !!!A")
        terminal.shows("!!!ARG:path/3")
        normal(terminal)
        leave(terminal)


@pytest.mark.parametrize(("language", "found"), [("python", FINDINGS), ("jsonl", {"Array index gap"})])
def test_strings_of_code_and_rows_of_data_have_findings(hx: Helix, language: str, found: set[str]) -> None:
    name, text = CODE[language]
    with hx.show(name, text, more=beside("python", "ruff")) as terminal:
        finds(terminal, *found)
        leave(terminal)


@needs_a_compiler
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
def test_a_place_has_the_colour_of_its_grammar(hx: Helix, name: str, text: str, keys: str, capture: str) -> None:
    with hx.show(name, text, server=False) as terminal:
        terminal.shows(name)
        terminal.press(f"{keys}:tree-sitter-highlight-name\r")
        terminal.shows(capture)
