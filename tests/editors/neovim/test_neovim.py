"""A real Neovim, set up as docs/editors/neovim.md says, with the real server, and texts of ours in other files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from editors.dialects import CHATS, DIALECTS
from editors.embedded_texts import BESIDE, CODE, NOTES, PLAIN
from editors.neovim.asking import EXAMPLES, ROOT, ask


def test_a_response_gets_its_diagnostics_hover_and_folds(neovim: Path, tmp_path: Path) -> None:
    client, filetype, diagnostics, hover, fold = ask(
        neovim,
        tmp_path,
        EXAMPLES / "session.gadget",
        {"ask": "client"},
        {"ask": "filetype"},
        {"ask": "diagnostics", "count": 3},
        {"ask": "hover", "line": 4, "column": 5},
        {"ask": "fold", "line": 5},
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
def test_a_file_has_its_type_and_its_server(
    neovim: Path, tmp_path: Path, name: str, text: str, filetype: str, code: str
) -> None:
    file = tmp_path / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    known, found = ask(neovim, tmp_path, file, {"ask": "filetype"}, {"ask": "diagnostics", "count": 1})
    assert (known, found[0]["code"]) == (filetype, code)


def test_a_comment_is_toggled_in_the_dialect_of_its_buffer(neovim: Path, tmp_path: Path) -> None:
    file = tmp_path / "chat.stf"
    file.write_text("hi\n;user\none\n  two\n\n", encoding="utf-8")
    options, one, none, all_of_them, again, typed, switched, other = ask(
        neovim,
        tmp_path,
        file,
        {"ask": "comments"},
        {"ask": "press", "keys": "3Ggcc"},
        {"ask": "press", "keys": "gcc"},
        {"ask": "press", "keys": "3GgcG"},
        {"ask": "press", "keys": "3GVGgc"},
        {"ask": "press", "keys": "1Gcc@ai<Esc>"},
        {"ask": "press", "keys": "4G2gcc"},
        {"ask": "comments"},
    )
    assert options == [";# %s", ":;#,:;//"]
    assert one == "hi\n;user\n;# one\n  two\n"
    assert none == again == "hi\n;user\none\n  two\n"
    # a sign behind spaces would be message text
    assert all_of_them == "hi\n;user\n;# one\n;#   two\n"
    assert typed == "@ai\n;user\none\n  two\n"
    assert switched == "@ai\n;user\none\n@#   two\n"
    assert other == ["@# %s", ":@#,:@//"]


def test_a_buffer_that_is_not_a_chat_any_more_has_its_own_comments(neovim: Path, tmp_path: Path) -> None:
    file = tmp_path / "chat.stf"
    file.write_text("@user\n", encoding="utf-8")
    _, _, comments = ask(
        neovim,
        tmp_path,
        file,
        {"ask": "press", "keys": ":setfiletype lua<CR>:set filetype=lua<CR>"},
        {"ask": "press", "keys": "1Gcc;user<Esc>"},
        {"ask": "comments"},
    )
    assert comments[0] == "-- %s"


def test_every_chat_has_the_dialect_that_the_server_sees(neovim: Path, tmp_path: Path) -> None:
    file = tmp_path / "chat.stf"
    file.touch()
    (found,) = ask(neovim, tmp_path, file, {"ask": "dialects", "chats": CHATS})
    assert tuple(found) == DIALECTS


def test_saving_keeps_the_end_of_the_file(neovim: Path, tmp_path: Path) -> None:
    files = {
        tmp_path / f"end-{number}.{suffix}": end
        for number, end in enumerate(("", "\n", " \n\n"))
        for suffix in ("gadget", "stf", "blocks")
    }
    plan: list[dict[str, Any]] = []
    for file, end in files.items():
        file.write_text(f"text{end}", encoding="utf-8")
        plan += [{"ask": "press", "keys": f":edit {file}<CR>ggImore <Esc>"}, {"ask": "client"}, {"ask": "save"}]
    ask(neovim, tmp_path, next(iter(files)), *plan)
    for file, end in files.items():
        assert file.read_bytes().decode() == f"more text{end}"


OTHER = f"""
vim.lsp.config("beside", {{ cmd = vim.json.decode([=[{json.dumps(BESIDE)}]=]), filetypes = {{ "markdown" }} }})
vim.lsp.enable("beside")
"""


def test_a_fence_has_findings_hover_fixes_and_names_beside_another_server(neovim: Path, tmp_path: Path) -> None:
    file = tmp_path / "notes.md"
    file.write_text(NOTES, encoding="utf-8")
    clients, found, hover, option, fixed, renamed = ask(
        neovim,
        tmp_path,
        file,
        {"ask": "clients", "count": 2},
        {"ask": "diagnostics", "count": 2},
        {"ask": "hover", "line": 4, "column": 20},
        {"ask": "option", "name": "formatexpr"},
        {"ask": "fix", "line": 7, "column": 15, "title": "Change"},
        {"ask": "rename", "line": 4, "column": 25, "name": "first"},
        more=OTHER,
    )
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
def test_strings_of_code_and_rows_of_data_have_findings_and_fixes(neovim: Path, tmp_path: Path, filetype: str) -> None:
    name, text = CODE[filetype]
    file = tmp_path / name
    file.write_text(text, encoding="utf-8")
    line = 1 + text[: text.index("path/2")].count("\n")
    clients, found, fixed = ask(
        neovim,
        tmp_path,
        file,
        {"ask": "clients", "count": 2},
        {"ask": "diagnostics", "count": 2},
        {"ask": "fix", "line": line, "column": text.splitlines()[line - 1].index("/2") + 2, "title": "Change"},
        more=OTHER.replace('"markdown"', f'"{filetype}"'),
    )
    assert clients == ["beside", "llmblocks"]
    assert [each["text"] for each in found if each["source"] == "llmblocks"] == ["2"]
    assert fixed == text.replace("path/2", "path/1").rstrip("\n")


@pytest.mark.parametrize(
    ("name", "text", "filetype", "keys"),
    [
        ("notes.md", PLAIN, "markdown", "Go```gadget<CR>!!!GADGET_END<CR>```<Esc>"),
        (
            "calls.py",
            'CALL = """!!!GADGET_START:Read\n!!!GADGET_END"""  # gadget\n',
            "python",
            "ggO# llmblocks: gadget<Esc>",
        ),
    ],
)
def test_the_server_starts_once_there_is_a_text_for_it(
    neovim: Path, tmp_path: Path, name: str, text: str, filetype: str, keys: str
) -> None:
    file = tmp_path / name
    file.write_text(text, encoding="utf-8")
    before, _, after = ask(
        neovim,
        tmp_path,
        file,
        {"ask": "clients", "count": 1},
        {"ask": "press", "keys": keys},
        {"ask": "clients", "count": 2},
        more=OTHER.replace('"markdown"', f'"{filetype}"'),
    )
    assert before == ["beside"]
    assert after == ["beside", "llmblocks"]


def test_a_configuration_can_leave_other_documents_alone(neovim: Path, tmp_path: Path) -> None:
    file = tmp_path / "notes.md"
    file.write_text(NOTES, encoding="utf-8")
    # the setting counts when the server is enabled
    clients, _, still = ask(
        neovim,
        tmp_path,
        file,
        {"ask": "clients", "count": 1},
        {"ask": "press", "keys": ":edit<CR>"},
        {"ask": "clients", "count": 1},
        more=f"vim.g.llmblocks_embedded = false\n{OTHER}",
    )
    assert clients == still == ["beside"]


def test_the_settings_file_of_a_project_has_mistakes_completion_and_hover(neovim: Path, tmp_path: Path) -> None:
    settings, other = tmp_path / "llmblocks.toml", tmp_path / "other.toml"
    for file in (settings, other):
        file.write_text("[stf]\ndialct = ';'\n", encoding="utf-8")
    found, (words, line), _, corrected, hover, _, _, unserved = ask(
        neovim,
        tmp_path,
        settings,
        {"ask": "diagnostics", "count": 1},
        {"ask": "complete", "keys": "jodefau"},
        {"ask": "press", "keys": "jcwdialect<Esc>"},
        {"ask": "diagnostics", "count": 0},
        {"ask": "hover", "line": 2, "column": 2},
        {"ask": "save"},
        {"ask": "press", "keys": f":edit {other}<CR>"},
        {"ask": "served"},
    )
    assert [(each["code"], each["text"]) for each in found] == [("C002", "dialct")]
    assert (words, line.startswith("defaultRole = ")) == (["defaultRole"], True)
    assert "The dialect of STF files" in hover
    assert (corrected, unserved) == ([], False)
