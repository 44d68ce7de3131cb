"""Colours, fixes, commands, help and tree-sitter grammars of the Neovim plugin, in a real Neovim."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from editors.debian import ROOT
from editors.embedded_texts import NOTES
from editors.homes import EXAMPLES
from editors.neovim.conftest import Neovim
from editors.programs import NEOVIM, Program, is_new
from folders import written

CALL = "!!!GADGET_START:Sum:total\n!!!ARG:numbers/0\n1\n!!!ARG:numbers/2\n1e5\n!!!GADGET_END\n"


def test_colours_comments_and_folds_need_no_server(nvim: Neovim) -> None:
    text = f"@# note\n@user name='Ada' {{\nsee List<String> or <think>\n{CALL}@ai {{id: 0x1}}\n;user\n@end x\n"
    asked = [("colours", line) for line in (1, 2, 3, 4, 5, 6, 8, 9, 10, 11, 12)]
    comment, user, tag, start, pointer, one, value, end, ai, data, stray, folds, commented, said = nvim.shown(
        "chat.stf", text, *asked, "folds", ("press", "11Ggcc"), ("messages", 20000), server=False
    )
    assert comment == [["@# note", "Comment"]]
    assert user[:4] == [["@user", "Keyword"], [" ", ""], ["name", "Type"], ["=", ""]]
    assert user[4] == ["'Ada'", "String"]
    assert tag == [["see List<String> or ", ""], ["<", "Delimiter"], ["think", "Tag"], [">", "Delimiter"]]
    assert start == [["!!!GADGET_START:", "Keyword"], ["Sum", "Function"], [":", "Delimiter"], ["total", "Identifier"]]
    assert pointer == [["!!!ARG:", "Keyword"], ["numbers", "Type"], ["/", "Delimiter"], ["0", "Number"]]
    assert one == [["1", "Number"]]
    # to llmist, this is text
    assert value == [["1e5", "String"]]
    assert end == [["!!!GADGET_END", "Keyword"]]
    assert ["0x1", "Number"] in ai
    assert data == [[";user", ""]]
    assert stray == [["@end x", "Keyword"]]
    assert folds == [[2, 9], [10, 12]]
    assert commented.splitlines()[10] == "@# ;user"
    assert said.count("the program llmblocks is not on the PATH") == 1


def test_colours_follow_the_dialect(nvim: Neovim) -> None:
    plan = (("colours", 2), ("colours", 3), ("press", "1Gcc@# x<Esc>"), ("colours", 3))
    semicolon, at, _, changed = nvim.shown("chat.stf", "hello\n;user\n@user\n", *plan, server=False)
    assert (semicolon, at) == ([[";user", "Keyword"]], [["@user", ""]])
    assert changed == [["@user", "Keyword"]]


def test_a_long_file_is_not_folded(nvim: Neovim) -> None:
    """Neovim would ask about every line before it shows the first."""
    folds, colours = nvim.shown("long.gadget", CALL * 4000, "folds", ("colours", 24000), server=False)
    assert (folds, colours) == ([], [["!!!GADGET_END", "Keyword"]])


def test_names_fixes_colours_and_completions_come_from_the_server(nvim: Neovim) -> None:
    plan: list[Any] = [("diagnostics", 2), ("semantic", 1, 18), ("complete", "Go!!!"), ("fix", 4, 16, "Change")]
    plan += [("rename", 1, 22, "sum"), "restart", "health", "foldexpr", "folds"]
    found, colour, (words, line), fixed, renamed, restarted, health, (served, unserved), folds = nvim.shown(
        "a.gadget", f"{CALL}!!!GADGET_START:Show:s:total\n", *plan
    )
    assert "G102" in [each["code"] for each in found]
    assert colour == "function"
    assert any(word.startswith("!!!ARG:") for word in words)
    assert line.startswith("!!!ARG:")
    assert "!!!ARG:numbers/1\n1e5" in fixed
    assert "Sum:sum" in renamed
    assert "Show:s:sum" in renamed
    assert restarted == 1
    assert "OK llmblocks 0." in health
    assert "is running for 1 buffer(s)" in health
    assert "ERROR" not in health
    assert (served, "llmblocks.folds" in unserved) == ("v:lua.vim.lsp.foldexpr()", True)
    assert folds[0] == [1, 6]


def test_line_ends_that_a_fix_converts_are_saved(nvim: Neovim) -> None:
    plan = (("diagnostics", 1), ("fix", 1, 1, "End all lines"), ("diagnostics", 0), "save")
    nvim.shown("a.stf", "@user\r\nHi\r\n", *plan)
    assert (nvim.home / "a.stf").read_bytes() == b"@user\nHi\n"


def test_values_graph_and_settings_are_shown_beside(nvim: Neovim) -> None:
    text = "!!!GADGET_START:A:a\n!!!ARG:x\n1\n!!!GADGET_END\n!!!GADGET_START:B:b:a\n!!!GADGET_END\nend\n"
    shown = ((2, "Parameters"), (1, "Transcript"), (1, "Graph"), (1, "Settings"))
    beside = [("beside", line, f"Llmblocks{name}") for line, name in shown]
    _, parameters, transcript, graph, settings, _, said = nvim.shown(
        "a.gadget", text, "client", *beside, ("press", "G:LlmblocksParameters<CR>"), ("messages", 20000)
    )
    assert (json.loads(parameters[0]), parameters[1]) == ({"x": 1}, "json")
    assert json.loads(transcript[0])
    assert (graph[0].splitlines()[0], graph[1]) == ("wave 1", "plaintext")
    assert settings[1] == "toml"
    assert "There is no gadget call at this position" in said


def test_the_graph_follows_the_file(nvim: Neovim) -> None:
    name = "a b%.gadget"
    uri = f"llmblocks://values/a.json?{quote((nvim.home / name).as_uri(), safe='')}"
    follow = ("following", "LlmblocksGraph", 1, "!!!GADGET_START:Another:a")
    _, graph, (values, filetype, can_change) = nvim.shown(
        name, "!!!GADGET_START:A:a\n!!!GADGET_END\n", "client", follow, ("content", uri)
    )
    assert "Another" in graph
    assert json.loads(values)["items"][0]["name"] == "Another"
    assert (filetype, can_change) == ("json", False)


def test_all_files_of_the_workspace_have_findings(nvim: Neovim) -> None:
    if not is_new(Program((str(nvim.program),), {}), NEOVIM._replace(oldest=(0, 12))):
        pytest.skip("this Neovim does not fetch the findings of the workspace")
    written(nvim.home / "llmblocks.toml", "diagnostics.workspace = true\n")
    written(nvim.home / "b.gadget", "!!!GADGET_END\n")
    # the open document, too, is fetched again
    again = ("workspace", 0, {"rules": {"ignore": ["G005"]}})
    _, found, ignored = nvim.shown("a.gadget", "!!!GADGET_END\n", "client", ("workspace", 2), again)
    assert (found, ignored) == ({"a.gadget": "G005", "b.gadget": "G005"}, {})


def test_the_session_of_a_log_is_shown_beside(nvim: Neovim) -> None:
    written(nvim.home / "calm-newt" / "0002.request", "=== USER ===\nResult (a): found\n")
    call = "!!!GADGET_START:A:a\n!!!GADGET_END\n"
    _, (shown, *_) = nvim.shown("calm-newt/0001.response", call, "client", ("beside", 1, "LlmblocksSession"))
    assert "      A a: returned 5 B in 0002.request" in shown.splitlines()


def test_a_configuration_can_say_what_marks_a_project(nvim: Neovim) -> None:
    for name in ("project/logs/llmblocks.toml", "project/package.json"):
        written(nvim.home / name, "")
    more = 'vim.lsp.config("llmblocks", { root_markers = { "package.json" } })\n'
    (client,) = nvim.shown("project/logs/a.gadget", "", "client", more=more)
    assert client["root"] == str(nvim.home / "project")


def test_the_health_check_says_what_is_wrong(nvim: Neovim) -> None:
    (missing,) = nvim.shown("a.gadget", "", "health", server=False)
    assert "the program llmblocks is not on the PATH" in missing
    assert "vim.lsp.config(" in missing
    written(nvim.home / "llmblocks.toml", '[stf]\ndialct = "@"\n[rules]\nignore = ["S002"]\n')
    other = 'vim.lsp.config("llmblocks", { settings = { tags = {} } })\nvim.lsp.enable("llmblocks", false)\n'
    (wrong,) = nvim.shown("a.gadget", "", "health", more=f"{other}vim.cmd.cd(vim.env.HOME)\n")
    assert "the server is not enabled" in wrong
    assert "does not read settings.tags" in wrong
    assert "C002 unknown setting stf.dialct" in wrong
    assert 'rules.ignore = ["S002"]' in wrong


def test_an_editorconfig_for_code_leaves_these_files_alone(nvim: Neovim) -> None:
    wants = "insert_final_newline = true\ntrim_trailing_whitespace = true\nend_of_line = lf\n"
    written(nvim.home / ".editorconfig", f"root = true\n[*]\n{wants}")
    for name, tidied in (("a.stf", "more a \r\nb "), ("a.txt", "more a\nb\n")):
        nvim.shown(name, "a \r\nb ", ("press", "ggImore <Esc>"), "save", server=False)
        assert (nvim.home / name).read_bytes().decode() == tidied


def test_a_package_of_neovim_needs_no_path_and_has_help(nvim: Neovim) -> None:
    """As the page says: a link in a folder of packages, and one line in the configuration."""
    plugin = ROOT / "editors" / "neovim"
    # help tags are made beside the help file
    package = nvim.home / "data" / "nvim" / "site" / "pack" / "llmblocks" / "start" / "llmblocks"
    shutil.copytree(plugin, package)
    client, _, topic = nvim.ask(
        EXAMPLES / "answer.blocks",
        *("client", ("press", f":helptags {package}/doc<CR>"), ("help", ":LlmblocksGraph")),
        more=f"vim.opt.runtimepath:remove('{plugin}')\n",
    )
    assert (client["name"], topic) == ("llmblocks", "llmblocks.txt")
    # help works where nobody has made the tags
    assert (package / "doc" / "tags").read_bytes() == (plugin / "doc" / "tags").read_bytes()


WRITE = "!!!GADGET_START:Write:w1\n!!!ARG:path\na.lua\n!!!ARG:content\nlocal a = 1\n!!!ARG:n\n1e5\n!!!GADGET_END\n"
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
{WRITE}"""
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
