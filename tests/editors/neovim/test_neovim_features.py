"""Colours, fixes, commands and help of the Neovim plugin, in a real Neovim."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from urllib.parse import quote

import pytest

from editors.neovim.asking import EXAMPLES, ROOT, ask
from editors.programs import NEOVIM, Program, is_new

CALL = "!!!GADGET_START:Sum:total\n!!!ARG:numbers/0\n1\n!!!ARG:numbers/2\n1e5\n!!!GADGET_END\n"


def test_colours_comments_and_folds_need_no_server(neovim: Path, tmp_path: Path) -> None:
    chat = tmp_path / "chat.stf"
    chat.write_text(
        f"@# note\n@user name='Ada' {{\nsee List<String> or <think>\n{CALL}@ai {{id: 0x1}}\n;user\n@end x\n",
        encoding="utf-8",
    )
    asked = [{"ask": "colours", "line": line} for line in (1, 2, 3, 4, 5, 6, 8, 9, 10, 11, 12)]
    comment, user, tag, start, pointer, one, text, end, ai, data, stray, folds, commented, said = ask(
        neovim,
        tmp_path,
        chat,
        *asked,
        {"ask": "folds"},
        {"ask": "press", "keys": "11Ggcc"},
        {"ask": "messages", "wait": 20000},
        server=False,
    )
    assert comment == [["@# note", "Comment"]]
    assert user[:4] == [["@user", "Keyword"], [" ", ""], ["name", "Type"], ["=", ""]]
    assert user[4] == ["'Ada'", "String"]
    assert tag == [["see List<String> or ", ""], ["<", "Delimiter"], ["think", "Tag"], [">", "Delimiter"]]
    assert start == [["!!!GADGET_START:", "Keyword"], ["Sum", "Function"], [":", "Delimiter"], ["total", "Identifier"]]
    assert pointer == [["!!!ARG:", "Keyword"], ["numbers", "Type"], ["/", "Delimiter"], ["0", "Number"]]
    assert one == [["1", "Number"]]
    # to llmist, this is text
    assert text == [["1e5", "String"]]
    assert end == [["!!!GADGET_END", "Keyword"]]
    assert ["0x1", "Number"] in ai
    assert data == [[";user", ""]]
    assert stray == [["@end x", "Keyword"]]
    assert folds == [[2, 9], [10, 12]]
    assert commented.splitlines()[10] == "@# ;user"
    assert said.count("the program llmblocks is not on the PATH") == 1


def test_colours_follow_the_dialect(neovim: Path, tmp_path: Path) -> None:
    chat = tmp_path / "chat.stf"
    chat.write_text("hello\n;user\n@user\n", encoding="utf-8")
    semicolon, at, _, changed = ask(
        neovim,
        tmp_path,
        chat,
        {"ask": "colours", "line": 2},
        {"ask": "colours", "line": 3},
        {"ask": "press", "keys": "1Gcc@# x<Esc>"},
        {"ask": "colours", "line": 3},
        server=False,
    )
    assert (semicolon, at) == ([[";user", "Keyword"]], [["@user", ""]])
    assert changed == [["@user", "Keyword"]]


def test_a_long_file_is_not_folded(neovim: Path, tmp_path: Path) -> None:
    """Neovim would ask about every line before it shows the first."""
    file = tmp_path / "long.gadget"
    file.write_text(CALL * 4000, encoding="utf-8")
    folds, colours = ask(neovim, tmp_path, file, {"ask": "folds"}, {"ask": "colours", "line": 24000}, server=False)
    assert not folds
    assert colours == [["!!!GADGET_END", "Keyword"]]


def test_names_fixes_colours_and_completions_come_from_the_server(neovim: Path, tmp_path: Path) -> None:
    file = tmp_path / "a.gadget"
    file.write_text(f"{CALL}!!!GADGET_START:Show:s:total\n", encoding="utf-8")
    found, colour, completed, fixed, renamed, restarted, health, (served, unserved), folds = ask(
        neovim,
        tmp_path,
        file,
        {"ask": "diagnostics", "count": 2},
        {"ask": "semantic", "line": 1, "column": 18},
        {"ask": "complete", "keys": "Go!!!"},
        {"ask": "fix", "line": 4, "column": 16, "title": "Change"},
        {"ask": "rename", "line": 1, "column": 22, "name": "sum"},
        {"ask": "restart"},
        {"ask": "health"},
        {"ask": "foldexpr"},
        {"ask": "folds"},
    )
    assert "G102" in [each["code"] for each in found]
    assert colour == "function"
    words, line = completed
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


def test_line_ends_that_a_fix_converts_are_saved(neovim: Path, tmp_path: Path) -> None:
    file = tmp_path / "a.stf"
    file.write_bytes(b"@user\r\nHi\r\n")
    ask(
        neovim,
        tmp_path,
        file,
        {"ask": "diagnostics", "count": 1},
        {"ask": "fix", "line": 1, "column": 1, "title": "End all lines"},
        {"ask": "diagnostics", "count": 0},
        {"ask": "save"},
    )
    assert file.read_bytes() == b"@user\nHi\n"


def test_values_graph_and_settings_are_shown_beside(neovim: Path, tmp_path: Path) -> None:
    file = tmp_path / "a.gadget"
    file.write_text("!!!GADGET_START:A:a\n!!!ARG:x\n1\n!!!GADGET_END\n!!!GADGET_START:B:b:a\n!!!GADGET_END\nend\n")
    _, parameters, transcript, graph, settings, _, said = ask(
        neovim,
        tmp_path,
        file,
        {"ask": "client"},
        {"ask": "beside", "line": 2, "command": "LlmblocksParameters"},
        {"ask": "beside", "line": 1, "command": "LlmblocksTranscript"},
        {"ask": "beside", "line": 1, "command": "LlmblocksGraph"},
        {"ask": "beside", "line": 1, "command": "LlmblocksSettings"},
        {"ask": "press", "keys": "G:LlmblocksParameters<CR>"},
        {"ask": "messages", "wait": 20000},
    )
    assert parameters[1] == "json"
    assert json.loads(parameters[0]) == {"x": 1}
    assert json.loads(transcript[0])
    assert (graph[0].splitlines()[0], graph[1]) == ("wave 1", "plaintext")
    assert settings[1] == "toml"
    assert "There is no gadget call at this position" in said


def test_the_graph_follows_the_file(neovim: Path, tmp_path: Path) -> None:
    file = tmp_path / "a b%.gadget"
    file.write_text("!!!GADGET_START:A:a\n!!!GADGET_END\n")
    uri = f"llmblocks://values/a.json?{quote(file.as_uri(), safe='')}"
    _, graph, (values, filetype, can_change) = ask(
        neovim,
        tmp_path,
        file,
        {"ask": "client"},
        {"ask": "following", "command": "LlmblocksGraph", "line": 1, "text": "!!!GADGET_START:Another:a"},
        {"ask": "content", "uri": uri},
    )
    assert "Another" in graph
    assert json.loads(values)["items"][0]["name"] == "Another"
    assert (filetype, can_change) == ("json", False)


def test_all_files_of_the_workspace_have_findings(neovim: Path, tmp_path: Path) -> None:
    if not is_new(Program((str(neovim),), {}), NEOVIM._replace(oldest=(0, 12))):
        pytest.skip("this Neovim does not fetch the findings of the workspace")
    (tmp_path / "llmblocks.toml").write_text("diagnostics.workspace = true\n", "utf-8")
    for name in ("a", "b"):
        (tmp_path / f"{name}.gadget").write_text("!!!GADGET_END\n", "utf-8")
    _, found, ignored = ask(
        neovim,
        tmp_path,
        tmp_path / "a.gadget",
        {"ask": "client"},
        {"ask": "workspace", "count": 2},
        # the open document, too, is fetched again
        {"ask": "workspace", "count": 0, "settings": {"rules": {"ignore": ["G005"]}}},
    )
    assert found == {"a.gadget": "G005", "b.gadget": "G005"}
    assert ignored == {}


def test_the_session_of_a_log_is_shown_beside(neovim: Path, tmp_path: Path) -> None:
    folder = tmp_path / "calm-newt"
    folder.mkdir()
    file = folder / "0001.response"
    file.write_text("!!!GADGET_START:A:a\n!!!GADGET_END\n")
    (folder / "0002.request").write_text("=== USER ===\nResult (a): found\n")
    _, (shown, *_) = ask(
        neovim, tmp_path, file, {"ask": "client"}, {"ask": "beside", "line": 1, "command": "LlmblocksSession"}
    )
    assert "      A a: returned 5 B in 0002.request" in shown.splitlines()


def test_a_configuration_can_say_what_marks_a_project(neovim: Path, tmp_path: Path) -> None:
    file = tmp_path / "project" / "logs" / "a.gadget"
    file.parent.mkdir(parents=True)
    file.touch()
    (file.parent / "llmblocks.toml").touch()
    (file.parents[1] / "package.json").touch()
    more = 'vim.lsp.config("llmblocks", { root_markers = { "package.json" } })\n'
    (client,) = ask(neovim, tmp_path, file, {"ask": "client"}, more=more)
    assert client["root"] == str(file.parents[1])


def test_the_health_check_says_what_is_wrong(neovim: Path, tmp_path: Path) -> None:
    file = tmp_path / "a.gadget"
    file.touch()
    (missing,) = ask(neovim, tmp_path, file, {"ask": "health"}, server=False)
    assert "the program llmblocks is not on the PATH" in missing
    assert "vim.lsp.config(" in missing
    (tmp_path / "llmblocks.toml").write_text('[stf]\ndialct = "@"\n[rules]\nignore = ["S002"]\n', encoding="utf-8")
    other = 'vim.lsp.config("llmblocks", { settings = { tags = {} } })\nvim.lsp.enable("llmblocks", false)\n'
    other += "vim.cmd.cd(vim.env.HOME)\n"
    (wrong,) = ask(neovim, tmp_path, file, {"ask": "health"}, more=other)
    assert "the server is not enabled" in wrong
    assert "does not read settings.tags" in wrong
    assert "C002 unknown setting stf.dialct" in wrong
    assert 'rules.ignore = ["S002"]' in wrong


def test_an_editorconfig_for_code_leaves_these_files_alone(neovim: Path, tmp_path: Path) -> None:
    (tmp_path / ".editorconfig").write_text(
        "root = true\n[*]\ninsert_final_newline = true\ntrim_trailing_whitespace = true\nend_of_line = lf\n",
        encoding="utf-8",
    )
    for suffix, tidied in (("stf", "more a \r\nb "), ("txt", "more a\nb\n")):
        file = tmp_path / f"a.{suffix}"
        file.write_bytes(b"a \r\nb ")
        ask(neovim, tmp_path, file, {"ask": "press", "keys": "ggImore <Esc>"}, {"ask": "save"}, server=False)
        assert file.read_bytes().decode() == tidied


def test_a_package_of_neovim_needs_no_path_and_has_help(neovim: Path, tmp_path: Path) -> None:
    """As the page says: a link in a folder of packages, and one line in the configuration."""
    start = tmp_path / "data" / "nvim" / "site" / "pack" / "llmblocks" / "start"
    start.mkdir(parents=True)
    # help tags are made beside the help file
    subprocess.run(["cp", "-r", str(ROOT / "editors" / "neovim"), str(start / "llmblocks")], check=True)
    tags = f"vim.opt.runtimepath:remove('{ROOT / 'editors' / 'neovim'}')\n"
    client, topic, command = ask(
        neovim,
        tmp_path,
        EXAMPLES / "answer.blocks",
        {"ask": "client"},
        {"ask": "press", "keys": f":helptags {start}/llmblocks/doc<CR>"},
        {"ask": "help", "topic": ":LlmblocksGraph"},
        more=tags,
    )[0:3]
    assert client["name"] == "llmblocks"
    assert topic is not None
    # help works where nobody has made the tags
    written = ROOT / "editors" / "neovim" / "doc" / "tags"
    assert (start / "llmblocks" / "doc" / "tags").read_bytes() == written.read_bytes()
    assert command == "llmblocks.txt"
