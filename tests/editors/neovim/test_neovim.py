"""A real Neovim, set up as docs/editors/neovim.md says, with the real server, and texts of ours in other files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from editors.debian import ROOT
from editors.dialects import CHATS, DIALECTS
from editors.embedded_texts import BESIDE, CODE, NOTES, PLAIN
from editors.homes import EXAMPLES
from editors.neovim.conftest import Neovim
from folders import written


def test_a_response_gets_its_diagnostics_hover_and_folds(nvim: Neovim) -> None:
    file = EXAMPLES / "session.gadget"
    client, filetype, diagnostics, hover, fold = nvim.ask(
        file, "client", "filetype", ("diagnostics", 3), ("hover", 4, 5), ("fold", 5)
    )
    assert (client["name"], client["root"], filetype) == ("llmblocks", str(ROOT), "gadget")
    assert [(each["code"], each["text"], each["severity"]) for each in diagnostics] == [
        ("G102", "3", "ERROR"),
        ("G101", "filePath", "ERROR"),
        ("G103", "last", "ERROR"),
    ]
    assert all(each["source"] == "llmblocks" for each in diagnostics)
    assert diagnostics[1]["message"].startswith("Duplicate pointer: filePath")
    assert "ReadFile" in hover
    assert fold == [4, 7]


@pytest.mark.parametrize(
    ("name", "text", "filetype", "code"),
    [
        ("chat.stf", "@/* open\n", "stf", "S002"),
        (".llmist/logs/brave-otter/0007.response", "!!!GADGET_END\n", "gadget", "G005"),
        ("a.blocks", "<think>open\n", "custom-blocks", "T001"),
        ("a.completion", '<tool_call>{"name": "get" "arguments": {}}</tool_call>\n', "completion", "M005"),
    ],
)
def test_a_file_has_its_type_and_its_server(nvim: Neovim, name: str, text: str, filetype: str, code: str) -> None:
    known, found = nvim.shown(name, text, "filetype", ("diagnostics", 1))
    assert (known, found[0]["code"]) == (filetype, code)


def test_a_comment_is_toggled_in_the_dialect_of_its_buffer(nvim: Neovim) -> None:
    keys = ("3Ggcc", "gcc", "3GgcG", "3GVGgc", "1Gcc@ai<Esc>", "4G2gcc")
    options, one, none, all_of_them, again, typed, switched, other = nvim.shown(
        "chat.stf", "hi\n;user\none\n  two\n\n", "comments", *[("press", each) for each in keys], "comments"
    )
    assert options == [";# %s", ":;#,:;//"]
    assert one == "hi\n;user\n;# one\n  two\n"
    assert none == again == "hi\n;user\none\n  two\n"
    # a sign behind spaces would be message text
    assert all_of_them == "hi\n;user\n;# one\n;#   two\n"
    assert typed == "@ai\n;user\none\n  two\n"
    assert switched == "@ai\n;user\none\n@#   two\n"
    assert other == ["@# %s", ":@#,:@//"]


def test_a_buffer_that_is_not_a_chat_any_more_has_its_own_comments(nvim: Neovim) -> None:
    keys = (":setfiletype lua<CR>:set filetype=lua<CR>", "1Gcc;user<Esc>")
    *_, comments = nvim.shown("chat.stf", "@user\n", *[("press", each) for each in keys], "comments")
    assert comments[0] == "-- %s"


def test_every_chat_has_the_dialect_that_the_server_sees(nvim: Neovim) -> None:
    (found,) = nvim.shown("chat.stf", "", ("dialects", CHATS))
    assert tuple(found) == DIALECTS


def test_saving_keeps_the_end_of_the_file(nvim: Neovim) -> None:
    files = {
        written(nvim.home / f"end-{number}.{suffix}", f"text{end}"): end
        for number, end in enumerate(("", "\n", " \n\n"))
        for suffix in ("gadget", "stf", "blocks")
    }
    steps = [(("press", f":edit {file}<CR>ggImore <Esc>"), "client", "save") for file in files]
    nvim.ask(next(iter(files)), *[step for each in steps for step in each])
    for file, end in files.items():
        assert file.read_bytes().decode() == f"more text{end}"


def other(filetype: str = "markdown") -> str:
    """Return the configuration of another server for a type of files."""
    command = f"vim.json.decode([=[{json.dumps(BESIDE)}]=])"
    return (
        f'vim.lsp.config("beside", {{ cmd = {command}, filetypes = {{ "{filetype}" }} }})\nvim.lsp.enable("beside")\n'
    )


def test_a_fence_has_findings_hover_fixes_and_names_beside_another_server(nvim: Neovim) -> None:
    plan: list[tuple[Any, ...]] = [("clients", 2), ("diagnostics", 2), ("hover", 4, 20), ("option", "formatexpr")]
    plan += [("fix", 7, 15, "Change"), ("rename", 4, 25, "first")]
    clients, found, hover, option, fixed, renamed = nvim.shown("notes.md", NOTES, *plan, more=other())
    assert clients == ["beside", "llmblocks"]
    assert [(each["source"], each["line"], each["text"]) for each in found] == [
        ("beside", 1, "#"),
        ("llmblocks", 7, "2"),
    ]
    assert "beside, in line 4" in hover
    assert "Read" in hover
    # `gq` breaks lines of prose as before
    assert option == ""
    assert fixed == NOTES.replace("path/2", "path/1").rstrip("\n")
    # the same id in another fence is another one
    assert renamed == fixed.replace("r1", "first", 1)


@pytest.mark.parametrize("filetype", CODE)
def test_strings_of_code_and_rows_of_data_have_findings_and_fixes(nvim: Neovim, filetype: str) -> None:
    name, text = CODE[filetype]
    line = 1 + text[: text.index("path/2")].count("\n")
    column = text.splitlines()[line - 1].index("/2") + 2
    clients, found, fixed = nvim.shown(
        name, text, ("clients", 2), ("diagnostics", 2), ("fix", line, column, "Change"), more=other(filetype)
    )
    assert clients == ["beside", "llmblocks"]
    assert [each["text"] for each in found if each["source"] == "llmblocks"] == ["2"]
    assert fixed == text.replace("path/2", "path/1").rstrip("\n")


PYTHON = 'CALL = """!!!GADGET_START:Read\n!!!GADGET_END"""  # gadget\n'


@pytest.mark.parametrize(
    ("name", "text", "filetype", "keys"),
    [
        ("notes.md", PLAIN, "markdown", "Go```gadget<CR>!!!GADGET_END<CR>```<Esc>"),
        ("calls.py", PYTHON, "python", "ggO# llmblocks: gadget<Esc>"),
    ],
)
def test_the_server_starts_once_there_is_a_text_for_it(
    nvim: Neovim, name: str, text: str, filetype: str, keys: str
) -> None:
    plan = (("clients", 1), ("press", keys), ("clients", 2))
    before, _, after = nvim.shown(name, text, *plan, more=other(filetype))
    assert (before, after) == (["beside"], ["beside", "llmblocks"])


def test_a_configuration_can_leave_other_documents_alone(nvim: Neovim) -> None:
    # the setting counts when the server is enabled
    more = f"vim.g.llmblocks_embedded = false\n{other()}"
    clients, _, alone = nvim.shown("notes.md", NOTES, ("clients", 1), ("press", ":edit<CR>"), "served", more=more)
    assert (clients, alone) == (["beside"], True)


def test_the_settings_file_of_a_project_has_mistakes_completion_and_hover(nvim: Neovim) -> None:
    text = "[stf]\ndialct = ';'\n"
    another: Path = written(nvim.home / "other.toml", text)
    plan: list[Any] = [("diagnostics", 1), ("complete", "jodefau"), ("press", "jcwdialect<Esc>"), ("diagnostics", 0)]
    plan += [("hover", 2, 2), "save", ("press", f":edit {another}<CR>"), "served"]
    found, (words, line), _, corrected, hover, _, _, unserved = nvim.shown("llmblocks.toml", text, *plan)
    assert [(each["code"], each["text"]) for each in found] == [("C002", "dialct")]
    assert (words, line.startswith("defaultRole = ")) == (["defaultRole"], True)
    assert "The dialect of STF files" in hover
    assert (corrected, unserved) == ([], False)
