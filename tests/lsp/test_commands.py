"""The commands that show parameters, transcripts, graphs and settings."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from llmblocks.lsp.answers.commands import METHOD
from lsp.log_editor import Editor, call
from marked import cursor

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
FORMATS = [("a.gadget", "{}"), ("a.stf", "@ai\n{}@user\nx\n"), ("b.gadget", "<note>\n{}</note>\n")]


@pytest.fixture
def editor(tmp_path: Path) -> Editor:
    (tmp_path / "read.json").write_text(json.dumps(READ), "utf-8")
    (tmp_path / "llmblocks.toml").write_text('[gadget.schemas]\n"**" = ["read.json"]\n', "utf-8")
    return Editor(tmp_path, workspace=True)


def open_file(editor: Editor, name: str, text: str) -> None:
    languages = {"gadget": "gadget", "stf": "stf", "blocks": "custom-blocks", "response": "gadget"}
    editor.open(name, text, languages.get(name.rpartition(".")[2], "plaintext"))


def run(editor: Editor, command: str, name: str, **more: Json) -> Json:
    argument = {"textDocument": {"uri": editor.uri(name)}, **more}
    return editor.ask(METHOD, {"command": f"llmblocks.{command}", "arguments": [argument]})


def at(editor: Editor, name: str, marked: str) -> Json:
    """Return the result of `showParameters` at the cursor."""
    text, offset = cursor(marked)
    open_file(editor, name, text)
    line = text.count("\n", 0, offset)
    place = {"line": line, "character": offset - (text.rfind("\n", 0, offset) + 1)}
    return run(editor, "showParameters", name, position=place)


@pytest.mark.parametrize(("name", "around"), FORMATS)
@pytest.mark.parametrize(
    "place", ["$0!!!GADGET_START", "Re$0ad", "1$02", "!!!ARG:li$0nes", "!!!GADGET_EN$0D", "GADGET_END$0"]
)
def test_parameters_are_those_that_the_gadget_receives(editor: Editor, name: str, around: str, place: str) -> None:
    shown = at(editor, name, around.format(CALL.replace(place.replace("$0", ""), place, 1)))
    assert (shown["kind"], shown["languageId"], shown["title"], shown["notes"]) == ("document", "json", "Read r1", [])
    assert json.loads(shown["text"]) == {"path": "12", "lines": 4}


def test_the_call_that_begins_on_the_line_counts_too(editor: Editor) -> None:
    assert at(editor, "a.gadget", "s$0ee " + CALL)["title"] == "Read r1"
    assert at(editor, "a.gadget", CALL + "a$0b\n" + CALL)["kind"] == "message"


def test_a_rejected_call_says_why(editor: Editor) -> None:
    shown = at(editor, "a.gadget", CALL.replace("lines", "pa$0th"))
    assert shown["kind"] == "message"
    assert shown["text"] == "The runtime rejects this call: Duplicate pointer: path"
    shown = at(editor, "a.gadget", CALL.replace("path", "pa$0ths"))
    assert json.loads(shown["text"]) == {"lines": 4}
    assert shown["notes"][0].startswith("The runtime rejects this call: path: ")
    assert shown["notes"][1] == "The runtime drops parameters that the schema does not have: paths"


@pytest.mark.parametrize(
    ("name", "marked"),
    [
        ("a.gadget", "te$0xt\n"),
        ("a.gadget", CALL + "$0\n"),
        ("a.gadget", "!!!GADGET_START:R$0ead"),
        ("a.stf", "@us$0er\nhi\n"),
        ("a.blocks", "<th$0ink>" + CALL),
        ("a.gadget", "$0"),
    ],
)
def test_outside_of_calls_there_is_a_sentence(editor: Editor, name: str, marked: str) -> None:
    shown = at(editor, name, marked)
    assert (shown["kind"], shown["text"]) == (
        "message",
        "There is no gadget call at this position. Put the cursor into a call.",
    )


def test_a_long_call_is_decoded_as_a_whole(editor: Editor) -> None:
    lines = "".join(f"!!!ARG:a/{number}\n{number} {'x' * 60}\n" for number in range(3000))
    shown = at(editor, "a.gadget", f"!!!GADGET_START:$0Write\n{lines}!!!GADGET_END\n")
    assert len(json.loads(shown["text"])["a"]) == 3000


def test_a_transcript_has_what_a_program_reads(editor: Editor) -> None:
    open_file(editor, "a.stf", "@user name=Ada\nhi\n@ai\nhello\n")
    shown = run(editor, "showTranscript", "a.stf")
    assert [each["role"] for each in json.loads(shown["text"])["messages"]] == ["user", "assistant"]
    open_file(editor, "a.gadget", "see <think>x</think>" + CALL)
    items = json.loads(run(editor, "showTranscript", "a.gadget")["text"])["items"]
    assert [each["type"] for each in items] == ["text", "block", "call", "text"]
    open_file(editor, "a.blocks", "a <think>x</think>")
    assert len(json.loads(run(editor, "showTranscript", "a.blocks")["text"])["items"]) == 2
    open_file(editor, "empty.stf", " \n")
    assert run(editor, "showTranscript", "empty.stf")["text"] == "The document is empty."


def test_a_value_that_is_nested_too_deeply_is_not_shown(editor: Editor) -> None:
    open_file(editor, "deep.gadget", f"!!!GADGET_START:G\n!!!ARG:{'a/' * 997}b\n1\n!!!GADGET_END\n")
    said = run(editor, "showTranscript", "deep.gadget")
    assert said["text"] == "A value is nested too deeply to be written as JSON."


def test_a_graph_is_drawn_in_three_ways(editor: Editor) -> None:
    open_file(editor, "a.stf", "@ai\n" + call("a") + call("b", "a"))
    shown = run(editor, "showGraph", "a.stf")
    assert (shown["kind"], shown["languageId"]) == ("document", "mermaid")
    assert shown["text"].startswith("flowchart LR\n")
    assert run(editor, "showGraph", "a.stf", format="text")["text"].startswith("wave 1\n  Read a\nwave 2")
    picture = run(editor, "showGraph", "a.stf", format="svg")
    assert picture["languageId"] == "xml"
    assert len(ElementTree.fromstring(picture["text"]).findall("{*}g")) == 2
    open_file(editor, "b.blocks", "<think>x</think>")
    assert run(editor, "showGraph", "b.blocks") == {
        "kind": "message",
        "title": "b.blocks",
        "text": "The document has no gadget calls.",
        "notes": [],
    }


@pytest.mark.parametrize(
    ("params", "says"),
    [
        ({}, "command must be a string, not nothing"),
        (
            {"command": "llmblocks.show"},
            "there is no command 'llmblocks.show'; the commands are llmblocks.showParameters",
        ),
        ({"command": "llmblocks.showGraph"}, "llmblocks.showGraph: it takes one argument, "),
        ({"command": "llmblocks.showGraph", "arguments": {}}, "llmblocks.showGraph: it takes one argument, "),
        ({"command": "llmblocks.showGraph", "arguments": 1}, "llmblocks.showGraph: arguments must be an array"),
        ({"command": "llmblocks.showGraph", "arguments": ["x"]}, "the argument must be an object, not str"),
        ({"command": "llmblocks.showGraph", "arguments": [{}]}, "textDocument must be an object, not nothing"),
        ({"command": "llmblocks.showGraph", "arguments": [{"textDocument": {}}]}, "textDocument.uri must be a string"),
        ({"command": "llmblocks.showParameters", "arguments": [{"textDocument": {"uri": "$"}}]}, "position must be"),
        (
            {"command": "llmblocks.showGraph", "arguments": [{"textDocument": {"uri": "$"}, "format": "png"}]},
            "format must be one of mermaid, svg, text, not 'png'",
        ),
        (
            {"command": "llmblocks.showGraph", "arguments": [{"textDocument": {"uri": "$"}, "format": {}}]},
            "format must be one of mermaid, svg, text, not {}",
        ),
    ],
)
def test_a_wrong_argument_is_named(editor: Editor, params: Json, says: str) -> None:
    open_file(editor, "a.gadget", CALL)
    given = json.loads(json.dumps(params).replace('"$"', json.dumps(editor.uri("a.gadget"))))
    error = editor.refused(METHOD, given)
    assert error["code"] == -32602
    assert says in error["message"]


def test_a_document_that_is_not_open_is_named(editor: Editor) -> None:
    argument = {"textDocument": {"uri": editor.uri("gone.stf")}}
    error = editor.refused(METHOD, {"command": "llmblocks.showTranscript", "arguments": [argument]})
    assert error == {"code": -32803, "message": f"llmblocks.showTranscript: {editor.uri('gone.stf')} is not open"}


def test_a_document_that_is_not_analysed_is_said_to_be_none(editor: Editor) -> None:
    open_file(editor, "a.txt", "x")
    assert run(editor, "showTranscript", "a.txt")["text"].startswith("The document is not analysed: ")


def test_a_stream_is_shown_step_by_step(editor: Editor) -> None:
    open_file(editor, "a.gadget", "Hi <thi")
    shown = run(editor, "showStream", "a.gadget", chunks=[5, 1])
    assert (shown["languageId"], shown["notes"]) == ("json", [])
    assert [(step["end"], step["held"], step["why"]) for step in json.loads(shown["text"])] == [
        (5, "<t", "it may become a tag"),
        (6, "<th", "it may become a tag"),
        (7, "<thi", "it may become a tag"),
        (7, "", ""),
    ]


def test_of_a_long_text_the_beginning_is_streamed(editor: Editor) -> None:
    open_file(editor, "a.gadget", "x" * 100_001)
    shown = run(editor, "showStream", "a.gadget", chunks=[50_000])
    assert shown["notes"] == ["only the first 100,000 characters are streamed"]
    assert json.loads(shown["text"])[-1]["end"] == 100_000


@pytest.mark.parametrize("chunks", [[], [0], [1.5], [True], "abc"])
def test_chunks_have_sizes(editor: Editor, chunks: Json) -> None:
    open_file(editor, "a.gadget", "x")
    with pytest.raises(AssertionError, match="chunks must be"):
        run(editor, "showStream", "a.gadget", chunks=chunks)


@pytest.mark.parametrize("command", ["llmblocks.showTranscript", "llmblocks.showGraph"])
def test_work_ends_when_it_is_cancelled_or_the_document_changes(editor: Editor, command: str) -> None:
    open_file(editor, "a.gadget", CALL)
    params = {"command": command, "arguments": [{"textDocument": {"uri": editor.uri("a.gadget")}}]}
    assert editor.interrupted(METHOD, params, "$/cancelRequest")["code"] == -32800
    assert editor.interrupted(METHOD, params, "textDocument/didChange", editor.uri("a.gadget"))["code"] == -32801


FORMATTING = {"options": {"tabSize": 2, "insertSpaces": True}}
UNFORMATTED = "!!!GADGET_START:A:a:b:c\n!!!GADGET_END\n" * 20


LONG = ("formatting", "inlayHint", "documentSymbol", "foldingRange", "semanticTokens/full", "codeLens")


@pytest.mark.parametrize("method", [f"textDocument/{method}" for method in LONG])
def test_a_long_answer_ends_when_it_is_cancelled_or_the_document_changes(editor: Editor, method: str) -> None:
    open_file(editor, "a.gadget", UNFORMATTED)
    whole = {"start": {"line": 0, "character": 0}, "end": {"line": 40, "character": 0}}
    params = {"textDocument": {"uri": editor.uri("a.gadget")}, **FORMATTING, "range": whole}
    assert editor.interrupted(method, params, "$/cancelRequest")["code"] == -32800
    assert editor.interrupted(method, params, "textDocument/didChange", editor.uri("a.gadget"))["code"] == -32801
    assert editor.ask(method, params)


@pytest.mark.parametrize(
    ("values", "titles"),
    [(("1", "1", "1"), ["Fix 2 problems safely"]), (("1", "1"), ["Fix 1 problem safely"]), (("1", "2"), [])],
)
def test_all_fixes_at_once_are_offered_where_there_are_some_with_their_number(
    editor: Editor, values: tuple[str, ...], titles: list[str]
) -> None:
    arguments = "".join(f"!!!ARG:a\n{value}\n" for value in values)
    open_file(editor, "a.gadget", f"!!!GADGET_START:A:a\n{arguments}!!!GADGET_END\n")
    place = {"line": 0, "character": 0}
    params = {"textDocument": {"uri": editor.uri("a.gadget")}, "range": {"start": place, "end": place}}
    params["context"] = {"diagnostics": [], "only": ["source.fixAll"]}
    assert [each["title"] for each in editor.ask("textDocument/codeAction", params)] == titles
