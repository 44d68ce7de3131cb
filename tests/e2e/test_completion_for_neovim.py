"""Completions for Neovim, which drops the snippet of one that it has to ask about, if a key comes before the answer."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from wire import Wire, did_open

TOOLS = '[{"name": "Read", "description": "Reads.", "schema": {"properties": {"path": {"type": "string"}}}}]'


@pytest.mark.parametrize(("name", "asks"), [("Neovim", False), ("another", True)])
def test_completions_for_neovim_are_whole(name: str, asks: bool, tmp_path: Path) -> None:
    (tmp_path / "tools.json").write_text(TOOLS, encoding="utf-8")
    completion = {"snippetSupport": True, "resolveSupport": {"properties": ["documentation"]}}
    with Wire() as wire:
        told: Any = wire.initialize(
            capabilities={"textDocument": {"completion": {"completionItem": completion}}},
            clientInfo={"name": name},
            initializationOptions={"gadget.schemas": {"*": [str(tmp_path / "tools.json")]}},
        )
        assert told["completionProvider"]["resolveProvider"] is asks
        wire.send(did_open("file:///a.gadget", "!!!"))
        place = {"textDocument": {"uri": "file:///a.gadget"}, "position": {"line": 0, "character": 3}}
        item, *_ = wire.result(7, "textDocument/completion", place)["items"]
        assert ("data" in item) is asks
        assert ("Reads." in str(item.get("documentation"))) is not asks
