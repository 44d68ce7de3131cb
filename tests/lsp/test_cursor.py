"""Hover, completion with its documentation, and signature help, as clients get them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import converters, types

from wire import Here, Wire, did_change, did_open, replacement

Json = Any
CONVERTER = converters.get_converter()
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
RICH = {
    "textDocument": {
        "completion": {
            "completionItem": {
                "snippetSupport": True,
                "documentationFormat": ["markdown", "plaintext"],
                "resolveSupport": {"properties": ["documentation"]},
            }
        }
    }
}
PLAIN = {
    "textDocument": {
        "hover": {"contentFormat": ["plaintext"]},
        "completion": {"completionItem": {"documentationFormat": ["plaintext"]}},
        "signatureHelp": {"signatureInformation": {"documentationFormat": ["plaintext"]}},
    }
}


@pytest.fixture
def uri(tmp_path: Path) -> str:
    (tmp_path / "read.json").write_text(json.dumps(READ), "utf-8")
    (tmp_path / "llmblocks.toml").write_text('[gadget.schemas]\n"*.gadget" = ["read.json"]\n', "utf-8")
    return (tmp_path / "a.gadget").as_uri()


def ask(wire: Wire, number: int, method: str, uri: str, line: int, character: int) -> Json:
    place = {"line": line, "character": character}
    return wire.result(number, f"textDocument/{method}", {"textDocument": {"uri": uri}, "position": place})


def start(wire: Wire, uri: str, capabilities: Json) -> None:
    wire.initialize(capabilities=capabilities, rootUri=uri.rpartition("/")[0])
    wire.send(did_open(uri, TEXT, "gadget"))


def test_a_rich_client_gets_snippets_and_asks_for_their_documentation(uri: str) -> None:
    with Here() as wire:
        start(wire, uri, RICH)
        told = ask(wire, 1, "completion", uri, 6, 6)["items"]
        first, *_ = CONVERTER.structure(told, list[types.CompletionItem])
        assert (first.label, first.kind) == ("!!!GADGET_START:Read", types.CompletionItemKind.Function)
        assert first.insert_text_format == types.InsertTextFormat.Snippet
        assert isinstance(first.text_edit, types.TextEdit)
        assert first.text_edit.range == types.Range(types.Position(6, 0), types.Position(6, 6))
        assert first.text_edit.new_text.startswith("!!!GADGET_START:Read:${1:r2}\n!!!ARG:path\n$2")
        assert first.documentation is None
        # a detail is plain text in the protocol
        assert first.detail == "Reads a file."
        resolved = CONVERTER.structure(wire.result(2, "completionItem/resolve", told[0]), types.CompletionItem)
        assert isinstance(resolved.documentation, types.MarkupContent)
        assert resolved.documentation.kind == types.MarkupKind.Markdown
        assert "- `path`: Required: string. The `path`." in resolved.documentation.value
        values = CONVERTER.structure(ask(wire, 3, "completion", uri, 4, 2)["items"], list[types.CompletionItem])
        assert [each.label for each in values] == ["true", "false"]
        assert {each.kind for each in values} == {types.CompletionItemKind.Value}
        found = CONVERTER.structure(ask(wire, 4, "hover", uri, 0, 22), types.Hover)
        assert isinstance(found.contents, types.MarkupContent)
        assert '"path": "12"' in found.contents.value
        help_ = CONVERTER.structure(ask(wire, 5, "signatureHelp", uri, 4, 2), types.SignatureHelp)
        assert help_.signatures[0].label == "Read(path, all?)"
        assert help_.active_parameter == 1
        assert ask(wire, 6, "signatureHelp", uri, 6, 2) is None
        assert wire.end() == 0


def test_a_plain_client_gets_plain_text_and_no_snippets(uri: str) -> None:
    with Here() as wire:
        start(wire, uri, PLAIN)
        first, *_ = CONVERTER.structure(ask(wire, 1, "completion", uri, 6, 6)["items"], list[types.CompletionItem])
        assert first.insert_text_format is None
        assert isinstance(first.text_edit, types.TextEdit)
        assert first.text_edit.new_text == "!!!GADGET_START:Read:r2\n!!!ARG:path\n"
        assert isinstance(first.documentation, types.MarkupContent)
        assert first.documentation.kind == types.MarkupKind.PlainText
        assert "Reads a file." in first.documentation.value
        found = CONVERTER.structure(ask(wire, 2, "hover", uri, 0, 22), types.Hover)
        assert isinstance(found.contents, types.MarkupContent)
        assert found.contents.kind == types.MarkupKind.PlainText
        assert "`" not in found.contents.value
        help_ = CONVERTER.structure(ask(wire, 3, "signatureHelp", uri, 2, 1), types.SignatureHelp)
        assert help_.signatures[0].documentation == types.MarkupContent(types.MarkupKind.PlainText, "Reads a file.")
        assert help_.active_parameter == 0
        assert wire.end() == 0


def test_a_client_that_lets_people_choose_gets_both_ranges(uri: str) -> None:
    chooses = {"textDocument": {"completion": {"completionItem": {"insertReplaceSupport": True}}}}
    with Here() as wire:
        start(wire, uri, chooses)
        # what is written already is not offered
        wire.send(did_change(uri, 1, replacement((0, 22), (0, 23), "x")))
        told = CONVERTER.structure(ask(wire, 1, "completion", uri, 0, 20)["items"], list[types.CompletionItem])
        edits = [each.text_edit for each in told if each.label == "Read"]
        insert, replace = (types.Range(types.Position(0, 19), types.Position(0, at)) for at in (20, 23))
        assert edits == [types.InsertReplaceEdit("Read", insert, replace)]
        values = CONVERTER.structure(ask(wire, 2, "completion", uri, 4, 2)["items"], list[types.CompletionItem])
        assert all(isinstance(each.text_edit, types.TextEdit) for each in values)
        # a closing quote that is there is the value's own
        chat = uri.replace(".gadget", ".stf")
        wire.send(did_open(chat, '@user name="Ada"\nHi\n@user name=""', "stf"))
        [name] = CONVERTER.structure(ask(wire, 3, "completion", chat, 2, 12)["items"], list[types.CompletionItem])
        whole = types.Range(types.Position(2, 11), types.Position(2, 13))
        assert name.text_edit == types.TextEdit(whole, '"Ada"')
