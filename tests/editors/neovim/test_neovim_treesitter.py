"""The tree-sitter grammars in a real Neovim: built by the plugin's command, and used for colours and folds."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from editors.embedded_texts import NOTES
from editors.homes import EXAMPLES, written
from editors.neovim.conftest import Neovim

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
BUILD = (("press", ":LlmblocksTreeSitter<CR>"), ("messages", 0))


@pytest.fixture(scope="module")
def built(neovim: Path, tmp_path_factory: pytest.TempPathFactory) -> Neovim:
    """A Neovim that has built the parsers, in a session that had a file open."""
    if not shutil.which("cc"):
        pytest.skip("no C compiler to build the parsers with: apt-get install gcc libc6-dev")
    nvim = Neovim(neovim, tmp_path_factory.mktemp("home"))
    look = ("captures", 1)
    before, _, said, after = nvim.ask(EXAMPLES / "session.gadget", look, *BUILD, look, server=False)
    assert before == "not active"
    assert "llmblocks: the parsers are in" in said
    assert after != "not active"
    return nvim


def test_a_chat_has_the_colours_of_all_grammars(built: Neovim) -> None:
    asked = [("captures", line) for line in (1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 15, 17)]
    note, user, tag, start, inside, pointer, number, end, stray, other, code, text, folds = built.shown(
        "chat.stf", CHAT, *asked, "folds", server=False
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


def test_fences_in_markdown_have_the_colours_of_their_languages(built: Neovim) -> None:
    call, tag, last = built.shown("notes.md", NOTES, *[("captures", line) for line in (4, 15, 19)], server=False)
    assert ["!!!GADGET_START:", "gadget keyword"] in call
    assert ["think", "custom_blocks tag"] in tag
    assert ["!!!GADGET_START:", "gadget keyword"] in last


def test_files_are_loaded_again_with_their_colours_and_server(built: Neovim) -> None:
    text = "@user\n!!!GADGET_START:A\n!!!GADGET_END\n<think>now</think>\n"
    files = [written(built.home / name, text) for name in ("a.gadget", "a.stf", "a.blocks")]
    looks = [(("press", f":edit {file}<CR>:edit<CR>"), "served", ("captures", 4)) for file in files]
    *found, said = built.ask(files[0], "client", *[step for each in looks for step in each], ("messages", 0))
    assert found[2::3] == [True, True, True]
    assert "not active" not in found[3::3]
    assert "E5107" not in said


def test_a_configuration_can_do_without_tree_sitter(built: Neovim) -> None:
    more = "vim.g.llmblocks_treesitter = false\n"
    assert built.ask(EXAMPLES / "session.gadget", ("captures", 1), more=more, server=False) == ["not active"]


def test_a_missing_compiler_is_named(nvim: Neovim) -> None:
    more = 'vim.env.CC = "no-such-compiler"\n'
    _, said = nvim.ask(EXAMPLES / "session.gadget", *BUILD, more=more, server=False)
    assert "no C compiler: no-such-compiler is not on the PATH" in said
