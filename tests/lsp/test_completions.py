"""Completions, hover, signature help and formatting, as clients get them.

Some editors do not treat completions as others do. Neovim drops the snippet of one that it has to ask about, if a key
comes before the answer. Helix shows an empty place instead of choices, but for the first place of a snippet. Both, and
Eglot, make other edits of a completion after it, at places from before it: an end that takes the place of the next one
would be cut off.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from lsp.log_editor import Editor, span

Json = Any
READ = {
    "name": "Read",
    "description": "Reads a **file**.",
    "schema": {
        "type": "object",
        "properties": {"path": {"type": "string", "description": "The `path`."}, "all": {"type": "boolean"}},
        "required": ["path"],
    },
}
TEXT = "\U0001f600 !!!GADGET_START:Read:r1\n!!!ARG:path\n12\n!!!ARG:all\ntr\n!!!GADGET_END\n!!!GAD\n"
FUNCTION, VALUE, SNIPPET = 3, 12, 2
RICH: Json = {
    "completion": {
        "completionItem": {
            "snippetSupport": True,
            "documentationFormat": ["markdown", "plaintext"],
            "resolveSupport": {"properties": ["documentation"]},
        }
    }
}
PLAIN: Json = {
    "hover": {"contentFormat": ["plaintext"]},
    "completion": {"completionItem": {"documentationFormat": ["plaintext"]}},
    "signatureHelp": {"signatureInformation": {"documentationFormat": ["plaintext"]}},
}


def editor_of(folder: Path, features: Json) -> Editor:
    return with_tools(folder, [READ], TEXT, textDocument=features)


def with_tools(folder: Path, tools: Json, text: str, **more: Json) -> Editor:
    (folder / "tools.json").write_text(json.dumps(tools), "utf-8")
    (folder / "llmblocks.toml").write_text('[gadget.schemas]\n"**" = ["tools.json"]\n', "utf-8")
    editor = Editor(folder, workspace=True, **more)
    editor.open("a", text)
    return editor


def ask(editor: Editor, method: str, line: int, character: int, name: str = "a", **more: Json) -> Json:
    return editor.of(method, name, position={"line": line, "character": character}, **more)


def test_a_rich_client_gets_snippets_and_asks_for_their_documentation(tmp_path: Path) -> None:
    editor = editor_of(tmp_path, RICH)
    first, *_ = ask(editor, "completion", 6, 6)["items"]
    assert (first["label"], first["kind"], first["insertTextFormat"]) == ("!!!GADGET_START:Read", FUNCTION, SNIPPET)
    assert first["textEdit"]["range"] == span(6, 0, 6)
    assert first["textEdit"]["newText"].startswith("!!!GADGET_START:Read:${1:r2}\n!!!ARG:path\n$2")
    # a detail is plain text in the protocol
    assert ("documentation" in first, first["detail"]) == (False, "Reads a file.")
    documentation = editor.ask("completionItem/resolve", first)["documentation"]
    assert documentation["kind"] == "markdown"
    assert "- `path`: Required: string. The `path`." in documentation["value"]
    values = ask(editor, "completion", 4, 2)["items"]
    assert [(each["label"], each["kind"]) for each in values] == [("true", VALUE), ("false", VALUE)]
    assert '"path": "12"' in ask(editor, "hover", 0, 22)["contents"]["value"]
    found = ask(editor, "signatureHelp", 4, 2)
    assert (found["signatures"][0]["label"], found["activeParameter"]) == ("Read(path, all?)", 1)
    assert ask(editor, "signatureHelp", 6, 2) is None


def test_a_plain_client_gets_plain_text_and_no_snippets(tmp_path: Path) -> None:
    editor = editor_of(tmp_path, PLAIN)
    first, *_ = ask(editor, "completion", 6, 6)["items"]
    assert "insertTextFormat" not in first
    assert first["textEdit"]["newText"] == "!!!GADGET_START:Read:r2\n!!!ARG:path\n"
    assert first["documentation"]["kind"] == "plaintext"
    assert "Reads a file." in first["documentation"]["value"]
    contents = ask(editor, "hover", 0, 22)["contents"]
    assert (contents["kind"], "`" in contents["value"]) == ("plaintext", False)
    found = ask(editor, "signatureHelp", 2, 1)
    assert found["signatures"][0]["documentation"] == {"kind": "plaintext", "value": "Reads a file."}
    assert found["activeParameter"] == 0


def test_a_client_that_lets_people_choose_gets_both_ranges(tmp_path: Path) -> None:
    editor = editor_of(tmp_path, {"completion": {"completionItem": {"insertReplaceSupport": True}}})
    # what is written already is not offered
    editor.replace("a", 0, 22, 23, "x")
    edits = [each["textEdit"] for each in ask(editor, "completion", 0, 20)["items"] if each["label"] == "Read"]
    assert edits == [{"newText": "Read", "insert": span(0, 19, 20), "replace": span(0, 19, 23)}]
    assert all("range" in each["textEdit"] for each in ask(editor, "completion", 4, 2)["items"])
    # a closing quote that is there is the value's own
    editor.open("a.stf", '@user name="Ada"\nHi\n@user name=""', "stf")
    [name] = ask(editor, "completion", 2, 12, "a.stf")["items"]
    assert name["textEdit"] == {"range": span(2, 11, 13), "newText": '"Ada"'}


def test_an_editor_that_sorts_completions_keeps_their_order_and_chooses_the_first(tmp_path: Path) -> None:
    editor = Editor(tmp_path)
    editor.open("a", "@", "stf")
    told = ask(editor, "completion", 0, 1)["items"]
    assert len(told) > 10
    assert sorted(told, key=lambda item: str(item["sortText"])) == told
    assert [item for item in told if item.get("preselect")] == told[:1]


def test_the_closing_tag_of_a_list_replaces_the_one_after_the_caret_in_one_edit(tmp_path: Path) -> None:
    editor = Editor(tmp_path)
    editor.open("a", "<think>\nHm.\nx</</think>\n", "custom-blocks")
    [item] = ask(editor, "completion", 2, 3)["items"]
    assert item["textEdit"]["newText"] == "think>"
    assert item["textEdit"]["range"] == span(2, 3, 11)
    assert "additionalTextEdits" not in item
    # what is typed up to the end fits no more
    assert item["filterText"] == "think"


def test_a_client_is_reported_in_a_few_words_what_a_gadget_does(tmp_path: Path) -> None:
    tools = [
        {"name": "SearchCode", "description": "Search the files of the project.", "schema": {"type": "object"}},
        {"name": "FindAllReferencesToASymbol", "description": "Find them.", "schema": {"type": "object"}},
    ]
    item = {"labelDetailsSupport": True, "resolveSupport": {"properties": ["documentation"]}}
    editor = with_tools(tmp_path, tools, "!", textDocument={"completion": {"completionItem": item}})
    told = ask(editor, "completion", 0, 1)["items"]
    beside = {each["label"]: each["labelDetails"]["description"] for each in told if "labelDetails" in each}
    assert beside == {
        "!!!GADGET_START:SearchCode": "Search the files…",
        # a row has no room for more
        "!!!GADGET_START:FindAllReferencesToASymbol": "",
    }
    assert not any("detail" in each for each in told)


def test_a_client_shows_the_type_of_a_parameter_beside_its_pointer(tmp_path: Path) -> None:
    lines = {"type": "integer", "description": "How many lines."}
    mode = {"enum": ["plain text", "many bytes", "something else"]}
    schema = {"type": "object", "properties": {"lines": lines, "mode": mode}}
    editor = with_tools(tmp_path, [{"name": "Read", "schema": schema}], "!!!GADGET_START:Read:r\n!!!")
    told = {each["label"]: each for each in ask(editor, "completion", 1, 3)["items"]}
    number, choices = told["!!!ARG:lines"], told["!!!ARG:mode"]
    assert (number["detail"], number["labelDetails"]) == ("integer", {"description": "integer"})
    assert number["documentation"]["value"] == "Optional: integer. How many lines."
    # a row has no room for more
    assert choices["labelDetails"] == {"description": "one of plain text, many bytes…"}


def test_the_signature_of_a_call_does_not_stay_above_a_value_that_is_typed(tmp_path: Path) -> None:
    schema = {"type": "object", "properties": {"path": {"type": "string"}}}
    text = "!!!GADGET_START:Read:r\n!!!ARG:path\n\nx\n!!!GADGET_END\n"
    editor = with_tools(tmp_path, [{"name": "Read", "schema": schema}], text)
    asked, typed, moved = 1, 2, 3

    def shown(line: int, character: int, why: int) -> bool:
        context = {"triggerKind": why, "isRetrigger": True}
        return ask(editor, "signatureHelp", line, character, context=context) is not None

    assert [shown(1, 11, typed), shown(2, 0, moved)] == [True, True]
    assert [shown(3, 1, moved), shown(3, 1, typed), shown(3, 1, asked)] == [False, False, True]


HOW: Json = {
    "name": "Read",
    "description": "Reads.",
    "schema": {"properties": {"how": {"enum": ["a,b", "c"]}}, "required": ["how"]},
}


@pytest.mark.parametrize("name", ["another", "Eglot", "Neovim", "helix"])
def test_an_editor_gets_what_it_can_show(name: str, tmp_path: Path) -> None:
    item = {"snippetSupport": True, "resolveSupport": {"properties": ["documentation"]}}
    editor = with_tools(tmp_path, [HOW], "!!!\n", name=name, textDocument={"completion": {"completionItem": item}})
    asks = name != "Neovim"
    assert editor.capabilities["completionProvider"]["resolveProvider"] is asks
    assert editor.capabilities["semanticTokensProvider"]["range"] is asks
    first, *_ = ask(editor, "completion", 0, 3)["items"]
    assert ("data" in first, "Reads." in str(first.get("documentation"))) == (asks, not asks)
    place = "${2:a,b}" if name == "helix" else "${2|a\\,b,c|}"
    end = "\n!!!GADGET_END"
    snippet = f"!!!GADGET_START:Read:${{1:r1}}\n!!!ARG:how\n{place}"
    assert first["textEdit"]["newText"].removesuffix(end) == snippet
    # an end that would take the place of the next one
    editor.rewrite("a", f"!!!GADGET_START:Read\n!!!ARG:how\nc\n!{end}")
    items = ask(editor, "completion", 3, 1)["items"]
    is_offered = name == "another"
    assert ("!!!GADGET_END" in [each["label"] for each in items]) is is_offered
    assert any("additionalTextEdits" in each for each in items) is is_offered


def asked(editor: Editor, method: str, name: str, **more: Json) -> list[tuple[Json, str]]:
    """Return the ranges and the texts of the edits; a range on one line as its numbers."""
    found = []
    for each in editor.of(method, name, options={"tabSize": 4, "insertSpaces": True}, **more):
        start, end = each["range"]["start"], each["range"]["end"]
        assert start["line"] == end["line"]
        found.append(((start["line"], start["character"], end["character"]), each["newText"]))
    return found


def lines(first: int, last: int) -> Json:
    return {"start": {"line": first, "character": 0}, "end": {"line": last, "character": 1}}


def typed(editor: Editor, name: str, character: str, line: int, column: int) -> list[tuple[Json, str]]:
    return asked(editor, "onTypeFormatting", name, position={"line": line, "character": column}, ch=character)


def test_a_document_and_a_range_are_formatted_by_small_edits(tmp_path: Path) -> None:
    editor = Editor(tmp_path)
    told = editor.capabilities
    assert (told["documentFormattingProvider"], told["documentRangeFormattingProvider"]) == (True, True)
    editor.open("a.stf", "@user  name='\U0001f600' \nhi \n@ai \n", "stf")
    assert asked(editor, "formatting", "a.stf") == [((0, 6, 17), 'name="\U0001f600"'), ((2, 3, 4), "")]
    assert asked(editor, "rangeFormatting", "a.stf", range=lines(2, 2)) == [((2, 3, 4), "")]
    assert asked(editor, "formatting", "closed.stf") == []


def test_several_ranges_are_formatted_for_a_client_that_announces_it(tmp_path: Path) -> None:
    text = "@user  id=1 \nhi\n@ai \nho\n@user \nhu\n"
    editor = Editor(tmp_path, textDocument={"rangeFormatting": {"rangesSupport": True}})
    assert editor.capabilities["documentRangeFormattingProvider"] == {"rangesSupport": True}
    editor.open("a.stf", text, "stf")
    editor.open("a.md", f"~~~stf\n{text}~~~\n\n~~~stf\n@ai \n~~~\n", "markdown")
    first, second, third = ((0, 6, 12), "id=1"), ((2, 3, 4), ""), ((4, 5, 6), "")
    for name, ranges, expected in (
        ("a.stf", [lines(4, 4), lines(0, 0)], [first, third]),
        # ranges may touch one another, and be the same
        ("a.stf", [lines(0, 2), lines(1, 2), lines(0, 0), lines(2, 5)], [first, second, third]),
        ("a.stf", [], []),
        # texts that a document embeds: no range is in the first one's last message
        ("a.md", [lines(3, 3), lines(3, 4), lines(10, 10)], [((3, 3, 4), ""), ((10, 3, 4), "")]),
    ):
        assert asked(editor, "rangesFormatting", name, ranges=ranges) == expected


def test_what_is_begun_is_ended_while_it_is_typed(tmp_path: Path) -> None:
    editor = Editor(tmp_path)
    triggers = {"firstTriggerCharacter": ">", "moreTriggerCharacter": ["\n", "D", "d", "/"]}
    assert editor.capabilities["documentOnTypeFormattingProvider"] == triggers
    editor.open("a.stf", "@user  id=1\n\U0001f600 <think>\n", "stf")
    rows: Json = {(">", 10): [((1, 10, 10), "</think>")], ("\n", 0): [((0, 6, 7), "")], ("}", 10): [], (">", 9): []}
    for (character, column), edits in rows.items():
        assert typed(editor, "a.stf", character, 1, column) == edits


@pytest.mark.parametrize(
    ("name", "options", "keeps"),
    [("", {}, False), ("", {"keepsCaret": True}, True), ("Eglot", {}, True), ("emacs", {}, True)],
)
def test_nothing_is_inserted_at_a_caret_that_would_move_after_it(
    tmp_path: Path, name: str, options: Json, keeps: bool
) -> None:
    texts = {
        "<think>": (">", (0, 7), (0, 7), "</think>"),
        "!!!GADGET_START:A\n": ("\n", (1, 0), (1, 0), "\n!!!GADGET_END"),
        # after the line of the caret no client moves it
        "!!!GADGET_START:A\n\nrest\n": ("\n", (1, 0), (2, 0), "!!!GADGET_END\n"),
    }
    editor = Editor(tmp_path, name=name, options={"keepsCaret": False, **options})
    for text, (character, caret, place, end) in texts.items():
        editor.open("a.gadget", text)
        expected = [((*place, place[1]), end)] if keeps or place != caret else []
        assert typed(editor, "a.gadget", character, *caret) == expected
