"""A settings file that is open in an editor which has the server for it."""

from __future__ import annotations

from pathlib import Path

from lsp.log_editor import Editor

NAME = "llmblocks.toml"


def test_an_open_settings_file_is_judged_as_it_was_saved(tmp_path: Path) -> None:
    (tmp_path / NAME).write_text("[stf]\ndialct = 1\n", encoding="utf-8")
    editor = Editor(tmp_path, workspace=True)
    editor.open(NAME, language_id="toml")
    assert editor.codes(NAME) == ["C002"]
    editor.replace(NAME, 1, 0, 6, "dialect")
    assert editor.codes(NAME) == ["C002"]
    editor.write(NAME, '[stf]\ndialect = "@"\n')
    editor.tell("textDocument/didSave", {"textDocument": {"uri": editor.uri(NAME)}})
    assert editor.codes(NAME) == []
    editor.write(NAME, "[stf]\ndialct = 1\n")
    editor.tell("textDocument/didSave", {"textDocument": {"uri": editor.uri(NAME)}})
    editor.close(NAME)
    # it is in force
    assert editor.codes(NAME) == ["C002"]


def test_a_client_that_fetches_is_told_once(tmp_path: Path) -> None:
    (tmp_path / NAME).write_text("[stf]\ndialct = 1\n", encoding="utf-8")
    editor = Editor(tmp_path, pulls=True, workspace=True)
    editor.open(NAME, language_id="toml")
    assert (editor.codes(NAME), editor.pull(NAME)) == (["C002"], [])


def test_a_file_of_other_settings_is_none_of_ours(tmp_path: Path) -> None:
    editor = Editor(tmp_path, workspace=True)
    editor.write("other.toml", "[stf]\ndialct = 1\n")
    editor.open("other.toml", language_id="toml")
    assert editor.codes("other.toml") == []
