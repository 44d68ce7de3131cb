"""The tree-sitter grammars in a real Neovim: built by the plugin's command, and used for colours and folds."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from editors.embedded_texts import NOTES
from editors.neovim.asking import EXAMPLES, ask

CALL = "!!!GADGET_START:Write:w1\n!!!ARG:path\na.lua\n!!!ARG:content\nlocal a = 1\n!!!ARG:n\n1e5\n!!!GADGET_END\n"
CHAT = f"""\
@# note
@user name='Ada'
see <think>now</think>
!!!GADGET_START:Sum
@# in a call
!!!ARG:a
42
!!!GADGET_END
@ai
!!!ARG:a
{CALL}"""


@pytest.fixture(scope="module")
def home(neovim: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder whose Neovim has built the parsers, in a session that had a file open."""
    if not shutil.which("cc"):
        pytest.skip("no C compiler to build the parsers with: apt-get install gcc libc6-dev")
    folder = tmp_path_factory.mktemp("home")
    before, _, said, after = ask(
        neovim,
        folder,
        EXAMPLES / "session.gadget",
        {"ask": "captures", "line": 1},
        {"ask": "press", "keys": ":LlmblocksTreeSitter<CR>"},
        {"ask": "messages", "wait": 0},
        {"ask": "captures", "line": 1},
        server=False,
    )
    assert before == "not active"
    assert "llmblocks: the parsers are in" in said
    assert after != "not active"
    return folder


def test_a_chat_has_the_colours_of_all_grammars(neovim: Path, home: Path, tmp_path: Path) -> None:
    chat = tmp_path / "chat.stf"
    chat.write_text(CHAT, encoding="utf-8")
    asked = [{"ask": "captures", "line": line} for line in (1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 15, 17)]
    note, user, tag, start, inside, pointer, number, end, stray, other, code, text, folds = ask(
        neovim, home, chat, *asked, {"ask": "folds"}, server=False
    )
    assert note == [["@# note", "stf comment"]]
    assert user[:2] == [["@user", "stf keyword"], [" ", ""]]
    assert user[2:] == [["name", "stf property"], ["=", "stf operator"], ["'Ada'", "stf string"]]
    bracket = "custom_blocks punctuation.bracket"
    assert tag[:4] == [["see ", ""], ["<", bracket], ["think", "custom_blocks tag"], [">", bracket]]
    assert start == [["!!!GADGET_START:", "gadget keyword"], ["Sum", "gadget function"]]
    # a comment does not end the call, the next message does
    assert inside == [["@# in a call", "stf comment"]]
    assert pointer == [["!!!ARG:", "gadget keyword"], ["a", "gadget property"]]
    assert number == [["42", "gadget number"]]
    assert end == [["!!!GADGET_END", "gadget keyword"]]
    assert stray == [["!!!ARG:", "gadget comment"], ["a", ""]]
    assert other[0] == ["!!!GADGET_START:", "gadget keyword"]
    # the file that it goes to says its language
    assert code[0] == ["local", "lua keyword"]
    assert text == [["1e5", "gadget string"]]
    assert folds[0] == [2, 8]


def test_fences_in_markdown_have_the_colours_of_their_languages(neovim: Path, home: Path, tmp_path: Path) -> None:
    file = tmp_path / "notes.md"
    file.write_text(NOTES, encoding="utf-8")
    call, _, tag, last = ask(
        neovim, home, file, *({"ask": "captures", "line": line} for line in (4, 12, 15, 19)), server=False
    )
    assert ["!!!GADGET_START:", "gadget keyword"] in call
    assert ["think", "custom_blocks tag"] in tag
    assert ["!!!GADGET_START:", "gadget keyword"] in last


def test_files_are_loaded_again_with_their_colours_and_server(neovim: Path, home: Path, tmp_path: Path) -> None:
    files = [tmp_path / name for name in ("a.gadget", "a.stf", "a.blocks")]
    for file in files:
        file.write_text("@user\n!!!GADGET_START:A\n!!!GADGET_END\n<think>now</think>\n", encoding="utf-8")
    again = [({"ask": "press", "keys": f":edit {file}<CR>:edit<CR>"}, {"ask": "served"}) for file in files]
    looks = [step for steps in again for step in (*steps, {"ask": "captures", "line": 4})]
    *found, said = ask(neovim, home, files[0], {"ask": "client"}, *looks, {"ask": "messages", "wait": 0})
    assert found[2::3] == [True, True, True]
    assert "not active" not in found[3::3]
    assert "E5107" not in said


def test_a_configuration_can_do_without_tree_sitter(neovim: Path, home: Path) -> None:
    more = "\nvim.g.llmblocks_treesitter = false\n"
    (found,) = ask(neovim, home, EXAMPLES / "session.gadget", {"ask": "captures", "line": 1}, more=more, server=False)
    assert found == "not active"


def test_a_missing_compiler_is_named(neovim: Path, tmp_path: Path) -> None:
    more = '\nvim.env.CC = "no-such-compiler"\n'
    _, said = ask(
        neovim,
        tmp_path,
        EXAMPLES / "session.gadget",
        {"ask": "press", "keys": ":LlmblocksTreeSitter<CR>"},
        {"ask": "messages", "wait": 0},
        more=more,
        server=False,
    )
    assert "no C compiler: no-such-compiler is not on the PATH" in said
