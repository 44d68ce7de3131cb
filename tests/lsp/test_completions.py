"""Completions as a client is reported of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from lsp.log_editor import Editor

Json = Any


def test_an_editor_that_sorts_completions_keeps_their_order_and_chooses_the_first(tmp_path: Path) -> None:
    editor = Editor(tmp_path)
    editor.open("a", "@", "stf")
    place = {"textDocument": {"uri": editor.uri("a")}, "position": {"line": 0, "character": 1}}
    told = editor.ask("textDocument/completion", place)
    told = told if isinstance(told, list) else told["items"]
    assert len(told) > 10
    assert sorted(told, key=lambda item: str(item["sortText"])) == told
    assert [item for item in told if item.get("preselect")] == told[:1]


def _asked(editor: Editor, method: str, line: int, character: int, **more: Json) -> Json:
    place = {"textDocument": {"uri": editor.uri("a")}, "position": {"line": line, "character": character}}
    return editor.ask(f"textDocument/{method}", place | more)


def test_the_closing_tag_of_a_list_replaces_the_one_after_the_caret_in_one_edit(tmp_path: Path) -> None:
    editor = Editor(tmp_path)
    editor.open("a", "<think>\nHm.\nx</</think>\n", "custom-blocks")
    [item] = _asked(editor, "completion", 2, 3)["items"]
    assert item["textEdit"]["newText"] == "think>"
    assert item["textEdit"]["range"] == {"start": {"line": 2, "character": 3}, "end": {"line": 2, "character": 11}}
    assert "additionalTextEdits" not in item
    # what is typed up to the end fits no more
    assert item["filterText"] == "think"


def test_a_client_is_reported_in_a_few_words_what_a_gadget_does(tmp_path: Path) -> None:
    tools = [
        {"name": "SearchCode", "description": "Search the files of the project.", "schema": {"type": "object"}},
        {"name": "FindAllReferencesToASymbol", "description": "Find them.", "schema": {"type": "object"}},
    ]
    (tmp_path / "tools.json").write_text(json.dumps(tools), "utf-8")
    (tmp_path / "llmblocks.toml").write_text('[gadget.schemas]\n"**" = ["tools.json"]\n', "utf-8")
    item = {"labelDetailsSupport": True, "resolveSupport": {"properties": ["documentation"]}}
    editor = Editor(tmp_path, workspace=True, textDocument={"completion": {"completionItem": item}})
    editor.open("a", "!", "gadget")
    told = _asked(editor, "completion", 0, 1)["items"]
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
    (tmp_path / "tools.json").write_text(json.dumps([{"name": "Read", "schema": schema}]), "utf-8")
    (tmp_path / "llmblocks.toml").write_text('[gadget.schemas]\n"**" = ["tools.json"]\n', "utf-8")
    editor = Editor(tmp_path, workspace=True)
    editor.open("a", "!!!GADGET_START:Read:r\n!!!", "gadget")
    told = {each["label"]: each for each in _asked(editor, "completion", 1, 3)["items"]}
    number, choices = told["!!!ARG:lines"], told["!!!ARG:mode"]
    assert (number["detail"], number["labelDetails"]) == ("integer", {"description": "integer"})
    assert number["documentation"]["value"] == "Optional: integer. How many lines."
    # a row has no room for more
    assert choices["labelDetails"] == {"description": "one of plain text, many bytes…"}


def test_the_signature_of_a_call_does_not_stay_above_a_value_that_is_typed(tmp_path: Path) -> None:
    schema = {"type": "object", "properties": {"path": {"type": "string"}}}
    (tmp_path / "tools.json").write_text(json.dumps([{"name": "Read", "schema": schema}]), "utf-8")
    (tmp_path / "llmblocks.toml").write_text('[gadget.schemas]\n"**" = ["tools.json"]\n', "utf-8")
    editor = Editor(tmp_path, workspace=True)
    editor.open("a", "!!!GADGET_START:Read:r\n!!!ARG:path\n\nx\n!!!GADGET_END\n", "gadget")
    asked, typed, moved = 1, 2, 3

    def shown(line: int, character: int, why: int) -> bool:
        return (
            _asked(editor, "signatureHelp", line, character, context={"triggerKind": why, "isRetrigger": True})
            is not None
        )

    assert [shown(1, 11, typed), shown(2, 0, moved)] == [True, True]
    assert [shown(3, 1, moved), shown(3, 1, typed), shown(3, 1, asked)] == [False, False, True]
