"""The files that open documents embed, as they come and go."""

from __future__ import annotations

from pathlib import Path

import pytest

from llmblocks.lsp.client.client import read_client
from lsp.log_editor import Editor

TEXT = "@user\n@embed type=image\n{}\n"


def opened(editor: Editor, name: str = "chat.stf", path: str = "a.png") -> None:
    item = {"uri": editor.uri(name), "languageId": "stf", "version": 0, "text": TEXT.format(path)}
    editor.tell("textDocument/didOpen", {"textDocument": item})
    editor.wait()


@pytest.mark.parametrize("pulls", [False, True])
def test_a_finding_goes_when_its_file_comes_and_returns_when_it_goes(tmp_path: Path, pulls: bool) -> None:
    editor = Editor(tmp_path, pulls=pulls)

    def codes() -> list[str]:
        editor.wait()
        if not pulls:
            return editor.codes("chat.stf")
        report = editor.ask("textDocument/diagnostic", {"textDocument": {"uri": editor.uri("chat.stf")}})
        return [each["code"] for each in report["items"]]

    opened(editor)
    assert codes() == ["S205"]
    editor.write("a.png", "")
    editor.touch("a.png", kind=1)
    assert codes() == []
    (tmp_path / "a.png").unlink()
    editor.touch("other.png", kind=1)
    assert codes() == []
    editor.touch("a.png", kind=3)
    assert codes() == ["S205"]
    if pulls:
        assert len(editor.requests("workspace/diagnostic/refresh")) == 2


def test_a_saved_document_looks_again(tmp_path: Path) -> None:
    editor = Editor(tmp_path)
    opened(editor, path="sub/notes.md")
    assert editor.codes("chat.stf") == ["S205"]
    editor.write("sub/notes.md", "")
    editor.tell("textDocument/didSave", {"textDocument": {"uri": editor.uri("chat.stf")}})
    assert editor.codes("chat.stf") == []


def test_an_edited_path_is_looked_for_at_once(tmp_path: Path) -> None:
    editor = Editor(tmp_path)
    editor.write("b.png", "")
    opened(editor)
    editor.replace("chat.stf", 2, 0, 1, "b")
    assert editor.codes("chat.stf") == []
    editor.replace("chat.stf", 2, 0, 1, "c")
    assert editor.codes("chat.stf") == ["S205"]


def test_a_document_without_a_folder_embeds_what_it_likes(tmp_path: Path) -> None:
    editor = Editor(tmp_path)
    item = {"uri": "untitled:chat.stf", "languageId": "stf", "version": 0, "text": TEXT.format("a.png")}
    editor.tell("textDocument/didOpen", {"textDocument": item})
    assert editor.told["untitled:chat.stf"] == []


def test_a_client_is_asked_to_watch_what_documents_embed() -> None:
    watches = {"workspace": {"didChangeWatchedFiles": {"dynamicRegistration": True}}}
    (files,) = read_client({"capabilities": watches}).registrations()
    (watcher,) = [each for each in files["registerOptions"]["watchers"] if "png" in each["globPattern"]]
    assert watcher["kind"] == 5


def test_a_path_is_a_link_where_its_command_is_in_the_wrong_case(tmp_path: Path) -> None:
    editor = Editor(tmp_path)
    text = "@user\n@EMBED type=image\na.png\n"
    item = {"uri": editor.uri("chat.stf"), "languageId": "stf", "version": 0, "text": text}
    editor.tell("textDocument/didOpen", {"textDocument": item})
    editor.wait()
    (link,) = editor.ask("textDocument/documentLink", {"textDocument": {"uri": editor.uri("chat.stf")}})
    assert (link["range"]["start"], link["target"]) == ({"line": 2, "character": 0}, editor.uri("a.png"))
