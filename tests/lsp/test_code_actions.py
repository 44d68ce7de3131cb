"""Code actions, as editors ask for them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from lsp.log_editor import Editor

Json = Any
CHAT = "@user\r\n\U0001f600\r\n@*/\r\n@ai\r\n!!!GADGET_START:G\r\n!!!ARG:\U0001f600\r\n1\r\n!!!ARG:\U0001f600\r\n2\r\n"
FIXED = CHAT.replace("@*/\r\n", "")
ACTION: Json = {
    "codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["quickfix", "source.fixAll"]}},
    "isPreferredSupport": True,
    "dataSupport": True,
    "resolveSupport": {"properties": ["edit"]},
}
OLD: Json = {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": []}}}
NAME = "a.stf"


def opened(folder: Path, text: str, action: Json = ACTION, **more: Json) -> Editor:
    editor = Editor(folder, versions="dataSupport" in action, textDocument={"codeAction": action}, **more)
    editor.open(NAME, text, "stf")
    return editor


def change(editor: Editor, version: int, text: str, line: int | None = None) -> None:
    """Insert a text at the start of a line, or replace the whole text."""
    place = {"line": line, "character": 0}
    made = {"text": text} if line is None else {"range": {"start": place, "end": place}, "text": text}
    document = {"uri": editor.uri(NAME), "version": version}
    editor.tell("textDocument/didChange", {"textDocument": document, "contentChanges": [made]})


def ask(editor: Editor, line: int, *only: str, start: int = 0, end: int = 99, diagnostics: Any = ()) -> Json:
    context = {"diagnostics": [*diagnostics]} | ({"only": [*only]} if only else {})
    span = {"start": {"line": line, "character": start}, "end": {"line": line, "character": end}}
    about = {"textDocument": {"uri": editor.uri(NAME)}, "range": span, "context": context}
    return editor.ask("textDocument/codeAction", about)


def made(text: str, edits: Any) -> str:
    """Return a text after the edits of a client that counts in UTF-16."""
    lines = text.split("\n")
    data = text.encode("utf-16-le")

    def offset(place: Any) -> int:
        before = sum(len((line + "\n").encode("utf-16-le")) for line in lines[: place["line"]])
        return before + 2 * int(place["character"])

    for edit in sorted(edits, key=lambda each: -offset(each["range"]["start"])):
        start, end = offset(edit["range"]["start"]), offset(edit["range"]["end"])
        data = data[:start] + edit["newText"].encode("utf-16-le") + data[end:]
    return data.decode("utf-16-le")


def edits(action: Json) -> Json:
    """Return the edits of an action for one version of the document."""
    (change,) = action["edit"]["documentChanges"]
    return change["edits"]


def fixes(actions: Json) -> Json:
    """Return the actions that fix something: without those that silence a finding, and without refactorings."""
    return [each for each in actions if each["kind"] == "quickfix" and not each["title"].startswith("Ignore ")]


def test_a_quick_fix_is_an_edit_of_this_version_and_names_its_diagnostic(tmp_path: Path) -> None:
    editor = opened(tmp_path, CHAT)
    kinds = ["quickfix", "refactor.rewrite", "source.fixAll.llmblocks"]
    provider = editor.capabilities["capabilities"]["codeActionProvider"]
    assert provider == {"codeActionKinds": kinds, "resolveProvider": True}
    change(editor, 7, CHAT)
    span = {"start": {"line": 2, "character": 0}, "end": {"line": 2, "character": 3}}
    ours = {"code": "S001", "range": span, "source": "llmblocks", "message": "as it was"}
    elsewhere = {**ours, "range": {"start": {"line": 1, "character": 0}, "end": {"line": 1, "character": 2}}}
    (action,) = fixes(ask(editor, 2, diagnostics=[ours, {**ours, "code": "x"}, elsewhere]))
    assert (action["kind"], action["isPreferred"], action["diagnostics"]) == ("quickfix", True, [ours])
    assert action["edit"]["documentChanges"][0]["textDocument"] == {"uri": editor.uri(NAME), "version": 7}
    assert made(CHAT, edits(action)) == FIXED
    (removal, *_) = fixes(ask(editor, 7, "quickfix"))
    assert made(CHAT, edits(removal)) == CHAT.removesuffix("!!!ARG:\U0001f600\r\n2\r\n")


def test_all_fixes_at_once_are_of_the_version_at_which_they_are_asked_for(tmp_path: Path) -> None:
    editor = opened(tmp_path, CHAT)
    (action,) = ask(editor, 0, "source.fixAll")
    assert (action["kind"], "edit" in action) == ("source.fixAll.llmblocks", False)
    change(editor, 2, "@*/\r\n", 0)
    resolved = editor.ask("codeAction/resolve", action)
    assert resolved["edit"]["documentChanges"][0]["textDocument"]["version"] == 2
    assert made("@*/\r\n" + CHAT, edits(resolved)) == FIXED
    assert ask(editor, 0, "refactor.move") == ask(editor, 2, "quickfix") == []
    change(editor, 3, "@user\n")
    assert ask(editor, 0, "source") == []
    assert editor.ask("codeAction/resolve", action)["edit"] == {}


def test_a_client_of_few_words_gets_plain_edits_at_once(tmp_path: Path) -> None:
    editor = opened(tmp_path, CHAT, OLD)
    assert editor.capabilities["capabilities"]["codeActionProvider"]["resolveProvider"] is False
    (action,) = ask(editor, 0, "source.fixAll.llmblocks")
    assert made(CHAT, action["edit"]["changes"][editor.uri(NAME)]) == FIXED
    (quick,) = fixes(ask(editor, 2))
    span = {"start": {"line": 2, "character": 0}, "end": {"line": 2, "character": 99}}
    about = {"textDocument": {"uri": editor.uri(NAME)}, "range": span, "context": None}
    assert fixes(editor.ask("textDocument/codeAction", about)) == [quick]


def test_refactorings_are_of_the_kinds_that_are_wanted(tmp_path: Path) -> None:
    text = '@ai\n!!!GADGET_START:G\n{"\U0001f600": 1}\n!!!GADGET_END\n'
    editor = opened(tmp_path, text)
    found = ask(editor, 2, "refactor.rewrite", start=3, end=3)
    ((kind, title),) = {(each["kind"], each["title"]) for each in found}
    assert (kind, title) == ("refactor.rewrite", "Write this JSON as arguments")
    assert found[0]["edit"]["documentChanges"][0]["textDocument"] == {"uri": editor.uri(NAME), "version": 0}
    assert made(text, edits(found[0])) == "@ai\n!!!GADGET_START:G\n!!!ARG:\U0001f600\n1\n!!!GADGET_END\n"
    assert ask(editor, 2, "refactor", start=3, end=3) == found
    assert {each["kind"] for each in ask(editor, 2, "quickfix", start=3, end=3)} == {"quickfix"}
    # only whole words of a kind count
    assert ask(editor, 2, "refactor.re", start=3, end=3) == []


def test_a_refused_refactoring_is_reported_to_clients_that_show_why(tmp_path: Path) -> None:
    reason = "the '@' dialect has no place for metadata"
    for action, reasons in (({**ACTION, "disabledSupport": True}, [reason]), (ACTION, [])):
        editor = opened(tmp_path, ";meta\n{}\n;end\n;user\nx", action)
        assert [each["disabled"]["reason"] for each in ask(editor, 0, start=1, end=1)] == reasons


def test_the_conversion_of_a_long_chat_is_worked_out_when_it_is_chosen(tmp_path: Path) -> None:
    text = "@user\n" + "some words\n" * 10_000
    converted = text.replace("@", ";").removesuffix("\n")
    editor = opened(tmp_path, text)
    (action,) = ask(editor, 0, start=1, end=1)
    assert (action["kind"], "edit" in action) == ("refactor.rewrite", False)
    assert made(text, edits(editor.ask("codeAction/resolve", action))) == converted
    change(editor, 2, "@nothing\n", 1)
    assert editor.refused("codeAction/resolve", action)["code"] == -32801
    (action,) = ask(editor, 0, start=1, end=1)
    refused = {"code": -32803, "message": "the chat has a mistake: S003 on line 2"}
    assert editor.refused("codeAction/resolve", action) == refused
    editor = opened(tmp_path, text, OLD)
    (action,) = ask(editor, 0, start=1, end=1)
    assert made(text, action["edit"]["changes"][editor.uri(NAME)]) == converted


def test_line_ends_are_replaced_whole(tmp_path: Path) -> None:
    editor, title = opened(tmp_path, CHAT), "End all lines with LF"
    [action] = [each for each in fixes(ask(editor, 0)) if each["title"] == title]
    assert made(CHAT, edits(action)) == CHAT.replace("\r\n", "\n")
    assert "command" not in action
    editor = opened(tmp_path, CHAT, options={"commands": ["llmblocks.endWithLf"]})
    commands = {each["title"]: each.get("command") for each in ask(editor, 0)}
    command = {"title": title, "command": "llmblocks.endWithLf", "arguments": [editor.uri(NAME)]}
    assert commands.pop(title) == command
    assert {*commands.values()} == {None}
