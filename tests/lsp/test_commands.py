"""The commands that show parameters, transcripts, graphs and streams, and the documents with the same texts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from urllib.parse import quote
from xml.etree import ElementTree

import pytest

from llmblocks.lsp.answers.commands import METHOD
from lsp.log_editor import Editor, call

Json = Any
READ = {
    "name": "Read",
    "schema": {
        "type": "object",
        "properties": {"path": {"type": "string"}, "lines": {"type": "integer"}},
        "required": ["path"],
        "additionalProperties": False,
    },
}
CALL = "!!!GADGET_START:Read:r1\n!!!ARG:path\n12\n!!!ARG:lines\n4\n!!!GADGET_END\n"
LANGUAGES = {"gadget": "gadget", "stf": "stf", "blocks": "custom-blocks", "response": "gadget"}


@pytest.fixture
def editor(tmp_path: Path) -> Editor:
    (tmp_path / "read.json").write_text(json.dumps(READ), "utf-8")
    (tmp_path / "llmblocks.toml").write_text('[gadget.schemas]\n"**" = ["read.json"]\n', "utf-8")
    return Editor(tmp_path, workspace=True, of_workspace={"textDocumentContent": {}})


def run(editor: Editor, command: str, name: str, text: str, **more: Json) -> Json:
    """Open a document, and return the result of a command for it, at `$0` if the text has a cursor."""
    editor.open(name, text.replace("$0", ""), LANGUAGES.get(name.rpartition(".")[2], "plaintext"))
    before = text.partition("$0")[0].split("\n")
    return editor.run(command, name, position={"line": len(before) - 1, "character": len(before[-1])}, **more)


@pytest.mark.parametrize(
    ("name", "around"), [("a.gadget", "{}"), ("a.stf", "@ai\n{}@user\nx\n"), ("b.gadget", "<note>\n{}</note>\n")]
)
@pytest.mark.parametrize(
    "place", ["$0!!!GADGET_START", "Re$0ad", "1$02", "!!!ARG:li$0nes", "!!!GADGET_EN$0D", "GADGET_END$0"]
)
def test_parameters_are_those_that_the_gadget_receives(editor: Editor, name: str, around: str, place: str) -> None:
    text = around.format(CALL.replace(place.replace("$0", ""), place, 1))
    shown = run(editor, "showParameters", name, text)
    assert (shown["kind"], shown["languageId"], shown["title"], shown["notes"]) == ("document", "json", "Read r1", [])
    assert json.loads(shown["text"]) == {"path": "12", "lines": 4}


def test_a_rejected_call_says_why(editor: Editor) -> None:
    # the call that begins on the line counts, too
    shown = run(editor, "showParameters", "a.gadget", "s$0ee " + CALL.replace("lines", "path"))
    assert (shown["kind"], shown["text"]) == ("message", "The runtime rejects this call: Duplicate pointer: path")
    shown = run(editor, "showParameters", "a.gadget", CALL.replace("path", "pa$0ths"))
    assert json.loads(shown["text"]) == {"lines": 4}
    assert shown["notes"][0].startswith("The runtime rejects this call: path: ")
    assert shown["notes"][1] == "The runtime drops parameters that the schema does not have: paths"


@pytest.mark.parametrize(
    ("name", "marked"),
    [
        ("a.gadget", "te$0xt\n"),
        ("a.gadget", CALL + "$0\n"),
        ("a.gadget", CALL + "a$0b\n" + CALL),
        ("a.gadget", "!!!GADGET_START:R$0ead"),
        ("a.stf", "@us$0er\nhi\n"),
        ("a.blocks", "<th$0ink>" + CALL),
        ("a.gadget", "$0"),
    ],
)
def test_outside_of_calls_there_is_a_sentence(editor: Editor, name: str, marked: str) -> None:
    shown = run(editor, "showParameters", name, marked)
    sentence = "There is no gadget call at this position. Put the cursor into a call."
    assert (shown["kind"], shown["text"]) == ("message", sentence)


def test_a_long_call_is_decoded_as_a_whole(editor: Editor) -> None:
    lines = "".join(f"!!!ARG:a/{number}\n{number} {'x' * 60}\n" for number in range(3000))
    shown = run(editor, "showParameters", "a.gadget", f"!!!GADGET_START:$0Write\n{lines}!!!GADGET_END\n")
    assert len(json.loads(shown["text"])["a"]) == 3000


def test_a_transcript_has_what_a_program_reads(editor: Editor) -> None:
    def shown(name: str, text: str) -> str:
        return str(run(editor, "showTranscript", name, text)["text"])

    messages = json.loads(shown("a.stf", "@user name=Ada\nhi\n@ai\nhello\n"))["messages"]
    assert [each["role"] for each in messages] == ["user", "assistant"]
    items = json.loads(shown("a.gadget", "see <think>x</think>" + CALL))["items"]
    assert [each["type"] for each in items] == ["text", "block", "call", "text"]
    assert len(json.loads(shown("a.blocks", "a <think>x</think>"))["items"]) == 2
    assert shown("empty.stf", " \n") == "The document is empty."
    assert shown("a.txt", "x").startswith("The document is not analysed: ")


def test_a_value_that_is_nested_too_deeply_is_not_shown(editor: Editor) -> None:
    deep = f"!!!GADGET_START:G\n!!!ARG:{'a/' * 997}b\n1\n!!!GADGET_END\n"
    said = run(editor, "showTranscript", "deep.gadget", deep)
    assert said["text"] == "A value is nested too deeply to be written as JSON."


def test_a_graph_is_drawn_in_three_ways(editor: Editor) -> None:
    text = "@ai\n" + call("a") + call("b", "a")
    shown = run(editor, "showGraph", "a.stf", text)
    assert (shown["kind"], shown["languageId"]) == ("document", "mermaid")
    assert shown["text"].startswith("flowchart LR\n")
    assert editor.run("showGraph", "a.stf", format="text")["text"].startswith("wave 1\n  Read a\nwave 2")
    picture = editor.run("showGraph", "a.stf", format="svg")
    assert picture["languageId"] == "xml"
    assert len(ElementTree.fromstring(picture["text"]).findall("{*}g")) == 2
    nothing = {"kind": "message", "title": "b.blocks", "text": "The document has no gadget calls.", "notes": []}
    assert run(editor, "showGraph", "b.blocks", "<think>x</think>") == nothing


HERE = {"textDocument": {"uri": "$"}}
GRAPH, ONE = "llmblocks.showGraph", "llmblocks.showGraph: it takes one argument, "


@pytest.mark.parametrize(
    ("command", "arguments", "says"),
    [
        (None, None, "command must be a string, not nothing"),
        ("llmblocks.show", None, "there is no command 'llmblocks.show'; the commands are llmblocks.showParameters"),
        (GRAPH, None, ONE),
        (GRAPH, {}, ONE),
        (GRAPH, 1, "llmblocks.showGraph: arguments must be an array"),
        (GRAPH, ["x"], "the argument must be an object, not str"),
        (GRAPH, [{}], "textDocument must be an object, not nothing"),
        (GRAPH, [{"textDocument": {}}], "textDocument.uri must be a string"),
        ("llmblocks.showParameters", [HERE], "position must be"),
        (GRAPH, [{**HERE, "format": "png"}], "format must be one of mermaid, svg, text, not 'png'"),
        (GRAPH, [{**HERE, "format": {}}], "format must be one of mermaid, svg, text, not {}"),
        ("llmblocks.showSession", [{**HERE, "format": "x"}], "format must be one of text, html"),
        *(("llmblocks.showStream", [{**HERE, "chunks": each}], "chunks must be") for each in ([], [0], [1.5], [True])),
        ("llmblocks.showStream", [{**HERE, "chunks": "abc"}], "chunks must be"),
    ],
)
def test_a_wrong_argument_is_named(editor: Editor, command: str | None, arguments: Json, says: str) -> None:
    editor.open("a.gadget", CALL)
    given = {name: each for name, each in (("command", command), ("arguments", arguments)) if each is not None}
    error = editor.refused(METHOD, json.loads(json.dumps(given).replace('"$"', json.dumps(editor.uri("a.gadget")))))
    assert (error["code"], says in error["message"]) == (-32602, True), error


def test_a_document_that_is_not_open_is_named(editor: Editor) -> None:
    argument = {"textDocument": {"uri": editor.uri("gone.stf")}}
    error = editor.refused(METHOD, {"command": "llmblocks.showTranscript", "arguments": [argument]})
    assert error == {"code": -32803, "message": f"llmblocks.showTranscript: {editor.uri('gone.stf')} is not open"}


def test_a_stream_is_shown_step_by_step(editor: Editor) -> None:
    shown = run(editor, "showStream", "a.gadget", "Hi <thi", chunks=[5, 1])
    assert (shown["languageId"], shown["notes"]) == ("json", [])
    may = "it may become a tag"
    assert [(step["end"], step["held"], step["why"]) for step in json.loads(shown["text"])] == [
        *((5, "<t", may), (6, "<th", may), (7, "<thi", may), (7, "", "")),
    ]
    shown = run(editor, "showStream", "a.gadget", "x" * 100_001, chunks=[50_000])
    assert shown["notes"] == ["only the first 100,000 characters are streamed"]
    assert json.loads(shown["text"])[-1]["end"] == 100_000


LONG = ("formatting", "inlayHint", "documentSymbol", "foldingRange", "semanticTokens/full", "codeLens")


@pytest.mark.parametrize("method", [f"textDocument/{each}" for each in LONG] + ["llmblocks.showTranscript", GRAPH])
def test_a_long_answer_ends_when_it_is_cancelled_or_the_document_changes(editor: Editor, method: str) -> None:
    editor.open("a.gadget", "!!!GADGET_START:A:a:b:c\n!!!GADGET_END\n" * 20)
    document = {"textDocument": {"uri": editor.uri("a.gadget")}}
    whole = {"start": {"line": 0, "character": 0}, "end": {"line": 40, "character": 0}}
    params: Json = {**document, "options": {"tabSize": 2, "insertSpaces": True}, "range": whole}
    if method.startswith("llmblocks."):
        method, params = METHOD, {"command": method, "arguments": [document]}
    assert editor.interrupted(method, params, "$/cancelRequest")["code"] == -32800
    assert editor.interrupted(method, params, "textDocument/didChange", editor.uri("a.gadget"))["code"] == -32801
    assert editor.ask(method, params)


CONTENT = "workspace/textDocumentContent"
REFRESH = f"{CONTENT}/refresh"
CHAT = "@user id=q1\nhello\n@ai\nsee\n"


def view(editor: Editor, name: str, document: str, line: int = 0) -> str:
    return f"llmblocks://{name}/x?{quote(editor.uri(document), safe='')}" + (f"#L{line}" if line else "")


def content(editor: Editor, uri: str) -> str:
    text: str = editor.ask(CONTENT, {"uri": uri})["text"]
    return text


def refreshed(editor: Editor) -> list[str]:
    editor.wait()
    return [each["params"]["uri"] for each in editor.requests(REFRESH)]


def test_each_view_has_a_text(editor: Editor) -> None:
    editor.write("0001.response", call("r1") + call("r2", "r1"))
    editor.open("0001.response")
    assert content(editor, view(editor, "graph", "0001.response")).startswith("flowchart")
    assert "0001.response" in content(editor, view(editor, "session", "0001.response"))
    assert json.loads(content(editor, view(editor, "call", "0001.response", 4))) == {"path": "a.txt"}
    editor.open("b.stf", CHAT, "stf")
    rows = [("values", 0, ["user", "assistant"]), *(("message", line, ["user"]) for line in (1, 2))]
    for name, line, roles in [*rows, *(("message", line, ["assistant"]) for line in (3, 4))]:
        messages = json.loads(content(editor, view(editor, name, "b.stf", line)))["messages"]
        assert [each["role"] for each in messages] == roles


def test_only_a_client_that_shows_them_is_reported(editor: Editor, tmp_path: Path) -> None:
    told = editor.capabilities["workspace"]
    assert told["textDocumentContent"] == {"schemes": ["llmblocks"]}
    assert told["workspaceFolders"] == {"supported": True, "changeNotifications": True}
    assert "textDocumentContent" not in Editor(tmp_path).capabilities["workspace"]


def test_the_result_of_a_command_names_its_view(editor: Editor) -> None:
    name = "a b%.gadget"
    graph = run(editor, "showGraph", name, call("r1"))
    assert graph["uri"].startswith("llmblocks://graph/a%20b%25.gadget.mmd?file%3A%2F%2F%2F")
    one = editor.run("showParameters", name, position={"line": 2, "character": 0})
    assert one["uri"].endswith("#L3")
    for each in (graph, one, editor.run("showTranscript", name)):
        assert content(editor, each["uri"]) == each["text"]


def test_a_change_has_the_client_fetch_a_view_again_once(editor: Editor) -> None:
    editor.open("a.gadget", call("r1"))
    editor.open("b.gadget", call("r1"))
    uri = view(editor, "graph", "a.gadget")
    content(editor, uri)
    for name, count in (("b", 0), ("a", 1), ("a", 1)):
        editor.replace(f"{name}.gadget", 0, 21, 23, "r8")
        assert refreshed(editor) == [uri] * count
    assert "r8" in content(editor, uri)
    editor.close("a.gadget")
    assert refreshed(editor) == [uri] * 2


def test_a_session_is_fetched_again_when_a_log_has_come(editor: Editor) -> None:
    editor.write("0001.response", call("r1"))
    editor.open("0001.response")
    uri = view(editor, "session", "0001.response")
    assert "0002" not in content(editor, uri)
    editor.save("0002.response", call("r2"))
    assert refreshed(editor) == [uri]
    assert "0002" in content(editor, uri)


LEADS = "x?file%3A%2F%2F%2Fa"


@pytest.mark.parametrize(
    ("uri", "code"),
    [
        *((each, -32602) for each in ("", 1, None, "llmblocks:", "llmblocks://graph/x", "llmblocks://[::1/x?a")),
        *((f"{each}{LEADS}", -32602) for each in ("llmblocks://other/", "file://graph/", "llmblocks://call/")),
        *((f"llmblocks://call/{LEADS}#L{each}", -32602) for each in ("0", "9" * 20)),
        # a document that is not open
        (f"llmblocks://graph/{LEADS}", -32803),
    ],
)
def test_another_uri_is_refused(editor: Editor, uri: Json, code: int) -> None:
    assert editor.refused(CONTENT, {"uri": uri})["code"] == code
