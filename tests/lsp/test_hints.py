"""Inlay hints and document links."""

from __future__ import annotations

from pathlib import Path

import pytest
from lsprotocol import converters, types

from wire import Here, did_open

URI = "file:///w/a%20b/a.stf"
TEXT = "@ai\n\U0001f600 !!!GADGET_START:A\n!!!ARG:a\n007\n!!!GADGET_END\n@embed type=image\n é/b c.png \n@embed\nhttps://x.example/y\n"
CONVERTER = converters.get_converter()


def test_hints_of_a_range_and_links_of_a_document() -> None:
    with Here() as wire:
        told = CONVERTER.structure(wire.initialize(), types.ServerCapabilities)
        assert told.inlay_hint_provider is True
        assert told.document_link_provider == types.DocumentLinkOptions(resolve_provider=False)
        wire.send(did_open(URI, TEXT, "stf"))
        about = {"textDocument": {"uri": URI}}
        place = {"start": {"line": 0, "character": 0}, "end": {"line": 9, "character": 0}}
        hints = wire.result(1, "textDocument/inlayHint", {**about, "range": place})
        # a client without lenses gets the waves as hints, too
        (hint,) = [each for each in CONVERTER.structure(hints, list[types.InlayHint]) if each.kind is not None]
        assert (hint.position, hint.label, hint.kind) == (types.Position(3, 3), "number 7", types.InlayHintKind.Type)
        links = CONVERTER.structure(wire.result(2, "textDocument/documentLink", about), list[types.DocumentLink])
        assert [(each.range.start, each.range.end, each.target) for each in links] == [
            (types.Position(6, 1), types.Position(6, 10), "file:///w/a%20b/%C3%A9/b%20c.png"),
            (types.Position(8, 0), types.Position(8, 19), "https://x.example/y"),
        ]
        assert wire.end() == 0


def test_a_document_without_a_folder_has_links_to_pages_alone() -> None:
    with Here() as wire:
        wire.initialize()
        wire.send(did_open("untitled:a", "@ai\n@embed\na.png\n@embed\ncommand:x\n@embed\nhttp://x.example\n", "stf"))
        links = wire.result(1, "textDocument/documentLink", {"textDocument": {"uri": "untitled:a"}})
        assert [each["target"] for each in links] == ["http://x.example"]
        assert wire.end() == 0


@pytest.mark.parametrize(("name", "begun"), [("a.gadget", ""), ("a.stf", "@ai\n")])
def test_the_name_of_a_gadget_leads_to_its_schema(tmp_path: Path, name: str, begun: str) -> None:
    (tmp_path / "g s.json").write_text('[\n{"name": "List"},\n{"name": "Read"}\n]\n', "utf-8")
    (tmp_path / "llmblocks.toml").write_text('[gadget.schemas]\n"**" = ["g s.json"]\n', "utf-8")
    uri = (tmp_path / name).as_uri()
    with Here() as wire:
        wire.initialize(rootUri=tmp_path.as_uri())
        calls = "\U0001f600!!!GADGET_START:read:r1\n!!!GADGET_END\n!!!GADGET_START:Write\n!!!GADGET_END\n"
        wire.send(did_open(uri, begun + calls, name.partition(".")[2]))
        links = CONVERTER.structure(
            wire.result(1, "textDocument/documentLink", {"textDocument": {"uri": uri}}), list[types.DocumentLink]
        )
        line = begun.count("\n")
        place = types.Range(types.Position(line, 18), types.Position(line, 22))
        assert [(each.range, each.target) for each in links] == [(place, f"{tmp_path.as_uri()}/g%20s.json#L3")]
        assert wire.end() == 0
