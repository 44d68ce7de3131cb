"""Symbols, as clients with and without trees get them."""

from __future__ import annotations

from typing import Any

from lsprotocol import converters, types

from wire import Here, Wire, did_change, did_open, insertion

Json = Any
URI = "file:///w/a.stf"
TEXT = "@user\n😀 hello\n!!!GADGET_START:Write:w1\n!!!ARG:\U0001f600x\n1\n!!!GADGET_END\n@ai\n"
TREES = {"textDocument": {"documentSymbol": {"hierarchicalDocumentSymbolSupport": True}}}
CONVERTER = converters.get_converter()


def ask(wire: Wire, number: int) -> Json:
    return wire.result(number, "textDocument/documentSymbol", {"textDocument": {"uri": URI}})


def test_a_client_with_trees_gets_messages_with_their_calls() -> None:
    with Here() as wire:
        wire.initialize(capabilities=TREES)
        wire.send(did_open(URI, TEXT, "stf"))
        user, assistant = CONVERTER.structure(ask(wire, 1), list[types.DocumentSymbol])
        assert (user.name, user.detail, user.kind) == ("user: 😀 hello", None, types.SymbolKind.Namespace)
        assert (user.range.start, user.range.end) == (types.Position(0, 0), types.Position(6, 0))
        assert user.children is not None
        (call,) = user.children
        assert (call.name, call.detail, call.kind) == ("Write:w1", None, types.SymbolKind.Function)
        assert call.children is not None
        assert call.children[0].selection_range == types.Range(types.Position(3, 7), types.Position(3, 10))
        assert assistant.name == "assistant"
        wire.send(did_change(URI, 2, insertion(0, 0, "@sys\n")))
        assert [each["name"] for each in ask(wire, 2)] == ["system", "user: 😀 hello", "assistant"]
        assert ask(wire, 3)[1]["children"][0]["range"]["start"] == {"line": 3, "character": 0}
        assert wire.end() == 0
