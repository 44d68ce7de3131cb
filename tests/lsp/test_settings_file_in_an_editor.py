"""A settings file that is open in an editor which has the server for it."""

from __future__ import annotations

from pathlib import Path

import pytest

from lsp.log_editor import Editor, Json

NAME = "llmblocks.toml"
WRONG, RIGHT = "[stf]\ndialct = ';'\n", "[stf]\ndialect = ';'\n"


def opened(folder: Path, text: str = WRONG, name: str = NAME, *, pulls: bool = False) -> Editor:
    (folder / name).write_text(text, encoding="utf-8", newline="")
    editor = Editor(folder, workspace=True, pulls=pulls)
    editor.open(name, language_id="toml")
    return editor


def at(editor: Editor, method: str, line: int, character: int, name: str = NAME) -> Json:
    place = {"line": line, "character": character}
    return editor.ask(f"textDocument/{method}", {"textDocument": {"uri": editor.uri(name)}, "position": place})


def labels(editor: Editor, line: int, character: int, name: str = NAME) -> list[str]:
    found = at(editor, "completion", line, character, name)
    return [each["label"] for each in (found or {"items": []})["items"]]


def test_an_open_settings_file_is_judged_as_it_is_written(tmp_path: Path) -> None:
    editor = opened(tmp_path)
    assert editor.codes(NAME) == ["C002"]
    editor.replace(NAME, 1, 0, 6, "dialect")
    assert editor.codes(NAME) == []
    editor.replace(NAME, 1, 0, 7, "[")
    assert editor.codes(NAME) == ["C001"]
    editor.replace(NAME, 1, 0, 1, "dialect")
    editor.write(NAME, RIGHT)
    editor.tell("textDocument/didSave", {"textDocument": {"uri": editor.uri(NAME)}})
    assert editor.codes(NAME) == []


def test_edits_that_are_not_saved_are_in_force_nowhere(tmp_path: Path) -> None:
    editor = opened(tmp_path, "[rules]\nignore = ['S002']\n")
    editor.open("a.stf", "@user\nHi\n@usr\n", language_id="stf")
    before = editor.codes("a.stf")
    editor.replace(NAME, 1, 11, 15, "S003")
    assert (editor.codes("a.stf"), editor.codes(NAME)) == (before, [])
    assert "S003" in before
    editor.write(NAME, "[rules]\nignore = ['S003']\n")
    editor.tell("textDocument/didSave", {"textDocument": {"uri": editor.uri(NAME)}})
    assert "S003" not in editor.codes("a.stf")


def test_a_file_that_is_closed_is_judged_as_it_was_saved(tmp_path: Path) -> None:
    for pulls in (False, True):
        editor = opened(tmp_path, pulls=pulls)
        editor.replace(NAME, 1, 0, 6, "dialect")
        assert editor.codes(NAME) == []
        editor.close(NAME)
        assert editor.codes(NAME) == ["C002"]
        editor.write(NAME, RIGHT)
        editor.touch(NAME)
        assert editor.codes(NAME) == []


def test_what_settings_name_is_looked_for(tmp_path: Path) -> None:
    editor = opened(tmp_path, "")
    editor.replace(NAME, 0, 0, 0, 'extend = "more.toml"')
    assert editor.codes(NAME) == ["C001"]
    editor.write("more.toml", RIGHT)
    editor.replace(NAME, 0, 19, 19, " ")
    editor.replace(NAME, 0, 19, 20, "")
    assert editor.codes(NAME) == []


def test_a_file_of_other_settings_is_none_of_ours(tmp_path: Path) -> None:
    for name in ("other.toml", "pyproject.toml"):
        editor = opened(tmp_path, WRONG, name)
        assert editor.codes(name) == []
        assert labels(editor, 1, 0, name) == []
        assert at(editor, "hover", 0, 2, name) is None


def test_settings_are_completed_and_explained_as_they_are_written(tmp_path: Path) -> None:
    editor = opened(tmp_path, "[stf]\r\n\r\n")
    editor.replace(NAME, 1, 0, 0, "dia")
    [dialect, *_] = at(editor, "completion", 1, 3)["items"]
    span = {"start": {"line": 1, "character": 0}, "end": {"line": 1, "character": 3}}
    assert (dialect["label"], dialect["textEdit"]) == ("dialect", {"range": span, "newText": "dialect = "})
    editor.replace(NAME, 1, 0, 3, "'😀' = 1\ndialect =")
    assert labels(editor, 2, 9) == ['"auto"', '"@"', '";"']
    found = at(editor, "hover", 2, 3)
    assert "The dialect of STF files" in found["contents"]["value"]
    assert found["range"] == {"start": {"line": 2, "character": 0}, "end": {"line": 2, "character": 7}}


def test_the_table_of_pyproject_is_completed(tmp_path: Path) -> None:
    name = "pyproject.toml"
    editor = opened(tmp_path, "[project]\n\n[tool.llmblocks.stf]\ndialct = 1\n", name)
    assert editor.codes(name) == ["C002"]
    assert labels(editor, 1, 0, name) == []
    assert labels(editor, 3, 3, name)[0] == "dialect"


def test_a_rule_is_offered_with_its_name_beside_it(tmp_path: Path) -> None:
    editor = opened(tmp_path, "rules.ignore = ['\n")
    [rule] = [each for each in at(editor, "completion", 0, 17)["items"] if each["label"] == '"G101"']
    assert rule["detail"] == rule["labelDetails"]["description"]
    assert rule["detail"].startswith("duplicate-pointer: Two")
    assert "G101.md" in rule["documentation"]["value"]


@pytest.mark.parametrize(
    ("method", "more"),
    [
        ("foldingRange", {}),
        ("documentSymbol", {}),
        ("formatting", {"options": {}}),
        ("codeAction", {"range": {}, "context": {"diagnostics": []}}),
        ("semanticTokens/full", {}),
        ("inlayHint", {"range": {}}),
        ("selectionRange", {"positions": []}),
        ("rename", {"position": {}, "newName": "x"}),
    ],
)
def test_other_questions_have_no_answer(tmp_path: Path, method: str, more: Json) -> None:
    editor = opened(tmp_path)
    found = editor.ask(f"textDocument/{method}", {"textDocument": {"uri": editor.uri(NAME)}, **more})
    assert not (found or {}) or found == {"data": []}
