"""Definition, references, highlights, renaming, linked editing and growing selections over the wire."""

from __future__ import annotations

from itertools import count
from typing import Any

from lsprotocol import converters, types

from wire import Here, Wire, did_change, did_open, insertion, request

Json = Any
URI = "file:///w/a.stf"
TEXT = "@ai\n😀!!!GADGET_START:A:one\n!!!GADGET_END\n!!!GADGET_START:B:two:one\n!!!GADGET_END\n<think>x</think>\n"
RENAMES: Json = {
    "textDocument": {"rename": {"prepareSupport": True}},
    "workspace": {"workspaceEdit": {"documentChanges": True}},
}
CONVERTER = converters.get_converter()
_SERIAL = count()


def ask(wire: Wire, method: str, line: int, character: int, **params: Json) -> Json:
    where = {"textDocument": {"uri": URI}, "position": {"line": line, "character": character}}
    return wire.result(next(_SERIAL), f"textDocument/{method}", where | params)


def span(line: int, start: int, end: int) -> types.Range:
    return types.Range(types.Position(line, start), types.Position(line, end))


def test_a_dependency_leads_to_its_call_and_back() -> None:
    with Here() as wire:
        wire.initialize()
        wire.send(did_open(URI, TEXT, "stf"))
        defined = CONVERTER.structure(ask(wire, "definition", 3, 23), list[types.Location])
        assert defined == [types.Location(URI, span(1, 20, 23))]
        context = {"includeDeclaration": False}
        used = CONVERTER.structure(ask(wire, "references", 1, 20, context=context), list[types.Location])
        assert used == [types.Location(URI, span(3, 22, 25))]
        seen = CONVERTER.structure(ask(wire, "documentHighlight", 1, 20), list[types.DocumentHighlight])
        assert [each.kind for each in seen] == [types.DocumentHighlightKind.Write, types.DocumentHighlightKind.Read]
        assert ask(wire, "definition", 0, 1) == []
        assert wire.end() == 0


def test_a_rename_edits_this_version_or_says_why_it_does_not() -> None:
    with Here() as wire:
        capabilities = wire.initialize(capabilities=RENAMES)
        assert capabilities["renameProvider"] == {"prepareProvider": True}
        wire.send(did_open(URI, TEXT, "stf"), did_change(URI, 7, insertion(0, 0, "\n")))
        prepared = CONVERTER.structure(ask(wire, "prepareRename", 4, 23), types.Range)
        assert prepared == span(4, 22, 25)
        edit = CONVERTER.structure(ask(wire, "rename", 4, 23, newName="three"), types.WorkspaceEdit)
        assert edit.document_changes is not None
        (changes,) = edit.document_changes
        assert isinstance(changes, types.TextDocumentEdit)
        assert changes.text_document == types.OptionalVersionedTextDocumentIdentifier(URI, 7)
        assert [*changes.edits] == [types.TextEdit(span(2, 20, 23), "three"), types.TextEdit(span(4, 22, 25), "three")]
        where = {"textDocument": {"uri": URI}, "position": {"line": 4, "character": 23}, "newName": "two"}
        wire.send(request("no", "textDocument/rename", where))
        assert wire.reply("no")["error"] == {
            "code": -32803,
            "message": "`two` is another invocation id in this document",
        }
        assert wire.end() == 0


def test_the_tags_of_a_block_are_linked() -> None:
    with Here() as wire:
        wire.initialize()
        wire.send(did_open(URI, TEXT, "stf"))
        found = CONVERTER.structure(ask(wire, "linkedEditingRange", 5, 3), types.LinkedEditingRanges)
        assert [*found.ranges] == [span(5, 1, 6), span(5, 10, 15)]
        assert ask(wire, "linkedEditingRange", 0, 0) is None
        assert wire.end() == 0


def test_each_position_has_a_chain_of_ranges() -> None:
    with Here() as wire:
        wire.initialize()
        wire.send(did_open(URI, TEXT, "stf"))
        positions = [{"line": 1, "character": 21}, {"line": 0, "character": 0}]
        params = {"textDocument": {"uri": URI}, "positions": positions}
        told = wire.result(1, "textDocument/selectionRange", params)
        first, second = CONVERTER.structure(told, list[types.SelectionRange])
        assert first.range == span(1, 20, 23)
        assert first.parent is not None
        assert first.parent.range == span(1, 18, 23)
        assert second.parent is not None
        assert wire.end() == 0
