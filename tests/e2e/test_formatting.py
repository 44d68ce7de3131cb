"""Formatting of documents and ranges."""

from __future__ import annotations

from typing import Any

from lsprotocol import converters, types

from wire import Wire, did_open

URI = "file:///w/a.stf"
CONVERTER = converters.get_converter()
OPTIONS = {"tabSize": 4, "insertSpaces": True}


def edits(answer: Any) -> list[tuple[types.Range, str]]:
    return [(each.range, each.new_text) for each in CONVERTER.structure(answer, list[types.TextEdit])]


def line(number: int, start: int, end: int) -> types.Range:
    return types.Range(types.Position(number, start), types.Position(number, end))


def test_a_document_and_a_range_are_formatted_by_small_edits() -> None:
    with Wire() as wire:
        told = CONVERTER.structure(wire.initialize(), types.ServerCapabilities)
        assert told.document_formatting_provider is True
        assert told.document_range_formatting_provider is True
        wire.send(did_open(URI, "@user  name='\U0001f600' \nhi \n@ai \n", "stf"))
        about = {"textDocument": {"uri": URI}, "options": OPTIONS}
        assert edits(wire.result(1, "textDocument/formatting", about)) == [
            (line(0, 6, 17), 'name="\U0001f600"'),
            (line(2, 3, 4), ""),
        ]
        place = {"start": {"line": 2, "character": 0}, "end": {"line": 2, "character": 1}}
        assert edits(wire.result(2, "textDocument/rangeFormatting", {**about, "range": place})) == [(line(2, 3, 4), "")]
        nothing = {"textDocument": {"uri": "file:///w/closed.stf"}, "options": OPTIONS}
        assert wire.result(3, "textDocument/formatting", nothing) == []
        assert wire.end() == 0
