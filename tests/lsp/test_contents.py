"""Read-only documents with the text of a view of a document, which are fetched again when it has changed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from lsp.log_editor import Editor, call

Json = Any
METHOD = "workspace/textDocumentContent"
REFRESH = f"{METHOD}/refresh"
CHAT = "@user id=q1\nhello\n@ai\nsee\n"


def editor_of(folder: Path) -> Editor:
    return Editor(folder, workspace=True, of_workspace={"textDocumentContent": {}})


def view(editor: Editor, name: str, document: str, line: int = 0) -> str:
    return f"llmblocks://{name}/x?{quote(editor.uri(document), safe='')}" + (f"#L{line}" if line else "")


def content(editor: Editor, uri: str) -> str:
    text: str = editor.ask(METHOD, {"uri": uri})["text"]
    return text


def shown(editor: Editor, command: str, **argument: Json) -> Json:
    return editor.ask("workspace/executeCommand", {"command": command, "arguments": [argument]})


def test_each_view_has_a_text(tmp_path: Path) -> None:
    editor = editor_of(tmp_path)
    editor.write("0001.response", call("r1") + call("r2", "r1"))
    editor.open("0001.response")
    editor.open("b.stf", CHAT, "stf")
    assert content(editor, view(editor, "graph", "0001.response")).startswith("flowchart")
    assert "0001.response" in content(editor, view(editor, "session", "0001.response"))
    assert json.loads(content(editor, view(editor, "call", "0001.response", 4))) == {"path": "a.txt"}
    assert [each["role"] for each in json.loads(content(editor, view(editor, "values", "b.stf")))["messages"]] == [
        "user",
        "assistant",
    ]


@pytest.mark.parametrize(("line", "role"), [(1, "user"), (2, "user"), (3, "assistant"), (4, "assistant")])
def test_a_message_is_shown_as_the_runtime_reads_it(line: int, role: str, tmp_path: Path) -> None:
    editor = editor_of(tmp_path)
    editor.open("b.stf", CHAT, "stf")
    (message,) = json.loads(content(editor, view(editor, "message", "b.stf", line)))["messages"]
    assert message["role"] == role


def test_only_a_client_that_shows_them_is_reported(tmp_path: Path) -> None:
    told = editor_of(tmp_path).capabilities["capabilities"]["workspace"]
    assert told["textDocumentContent"] == {"schemes": ["llmblocks"]}
    assert told["workspaceFolders"]["supported"] is True
    assert "textDocumentContent" not in Editor(tmp_path).capabilities["capabilities"]["workspace"]


def test_the_result_of_a_command_names_its_view(tmp_path: Path) -> None:
    editor = editor_of(tmp_path)
    editor.open("a b%.gadget", call("r1"))
    document = {"textDocument": {"uri": editor.uri("a b%.gadget")}}
    graph = shown(editor, "llmblocks.showGraph", **document)
    assert graph["uri"].startswith("llmblocks://graph/a%20b%25.gadget.mmd?file%3A%2F%2F%2F")
    assert content(editor, graph["uri"]) == graph["text"]
    values = shown(editor, "llmblocks.showTranscript", **document)
    assert content(editor, values["uri"]) == values["text"]
    one = shown(editor, "llmblocks.showParameters", **document, position={"line": 2, "character": 0})
    assert one["uri"].endswith("#L3")
    assert content(editor, one["uri"]) == one["text"]


def test_a_change_has_the_client_fetch_a_view_again_once(tmp_path: Path) -> None:
    editor = editor_of(tmp_path)
    editor.open("a.gadget", call("r1"))
    editor.open("b.gadget", call("r1"))
    uri = view(editor, "graph", "a.gadget")
    content(editor, uri)
    editor.replace("b.gadget", 0, 21, 23, "r7")
    editor.wait()
    assert editor.requests(REFRESH) == []
    for _ in range(3):
        editor.replace("a.gadget", 0, 21, 23, "r8")
        editor.wait()
    assert [each["params"] for each in editor.requests(REFRESH)] == [{"uri": uri}]
    assert "r8" in content(editor, uri)
    editor.close("a.gadget")
    editor.wait()
    assert len(editor.requests(REFRESH)) == 2


def test_a_session_is_fetched_again_when_a_log_has_come(tmp_path: Path) -> None:
    editor = editor_of(tmp_path)
    editor.write("0001.response", call("r1"))
    editor.open("0001.response")
    uri = view(editor, "session", "0001.response")
    assert "0002" not in content(editor, uri)
    editor.write("0002.response", call("r2"))
    editor.touch("0002.response", kind=1)
    editor.wait()
    assert [each["params"] for each in editor.requests(REFRESH)] == [{"uri": uri}]
    assert "0002" in content(editor, uri)


@pytest.mark.parametrize(
    "uri",
    [
        "",
        1,
        None,
        "llmblocks:",
        "llmblocks://graph/x",
        "llmblocks://other/x?file%3A%2F%2F%2Fa",
        "file://graph/x?file%3A%2F%2F%2Fa",
        "llmblocks://call/x?file%3A%2F%2F%2Fa",
        "llmblocks://call/x?file%3A%2F%2F%2Fa#L0",
        "llmblocks://call/x?file%3A%2F%2F%2Fa#L99999999999999999999",
        "llmblocks://[::1/x?a",
    ],
)
def test_another_uri_is_refused(uri: Json, tmp_path: Path) -> None:
    assert editor_of(tmp_path).refused(METHOD, {"uri": uri})["code"] == -32602


def test_a_document_that_is_not_open_has_no_view(tmp_path: Path) -> None:
    editor = editor_of(tmp_path)
    assert editor.refused(METHOD, {"uri": view(editor, "graph", "a.gadget")})["code"] == -32803
