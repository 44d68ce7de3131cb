"""Texts of ours in Markdown, code and data in a real Neovim, beside another server."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from editors.embedded_texts import BESIDE, CODE, NOTES, PLAIN
from editors.neovim.asking import ask

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
