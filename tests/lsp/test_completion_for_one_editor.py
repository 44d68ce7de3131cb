"""Completions, and colours, for editors that do not treat them as others do.

Neovim drops the snippet of one that it has to ask about, if a key comes before the answer. Helix shows an empty place
instead of choices, but for the first place of a snippet. Both, and Eglot, make other edits of a completion after it,
at places from before it: an end that takes the place of the next one would be cut off.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from llmblocks.lsp.wire.rpc import Json
from wire import Here, did_open

PARAMETERS = '{"properties": {"how": {"enum": ["a,b", "c"]}}, "required": ["how"]}'
TOOLS = f'[{{"name": "Read", "description": "Reads.", "schema": {PARAMETERS}}}]'


def offered(name: str, folder: Path, text: str) -> tuple[list[Json], Json]:
    """Return the completions of a client with this name, before the end, and the server's capability."""
    (folder / "tools.json").write_text(TOOLS, encoding="utf-8")
    completion = {"snippetSupport": True, "resolveSupport": {"properties": ["documentation"]}}
    with Here() as wire:
        told = wire.initialize(
            capabilities={"textDocument": {"completion": {"completionItem": completion}}},
            clientInfo={"name": name},
            initializationOptions={"gadget.schemas": {"*": [str(folder / "tools.json")]}},
        )
        wire.send(did_open("file:///a.gadget", text + "\n!!!GADGET_END"))
        *above, line = text.split("\n")
        position = {"line": len(above), "character": len(line)}
        asked = {"textDocument": {"uri": "file:///a.gadget"}, "position": position}
        return wire.result(7, "textDocument/completion", asked)["items"], told["completionProvider"]


@pytest.mark.parametrize(("name", "asks"), [("Neovim", False), ("another", True)])
def test_completions_for_neovim_are_whole(name: str, asks: bool, tmp_path: Path) -> None:
    [item, *_], provider = offered(name, tmp_path, "!!!")
    assert provider["resolveProvider"] is asks
    assert ("data" in item) is asks
    assert ("Reads." in str(item.get("documentation"))) is not asks


@pytest.mark.parametrize(("name", "place"), [("helix", "${2:a,b}"), ("another", "${2|a\\,b,c|}")])
def test_helix_gets_the_first_choice_in_place_of_an_empty_one(name: str, place: str, tmp_path: Path) -> None:
    [item, *_], _ = offered(name, tmp_path, "!!!")
    assert item["textEdit"]["newText"] == f"!!!GADGET_START:Read:${{1:r1}}\n!!!ARG:how\n{place}\n!!!GADGET_END"


@pytest.mark.parametrize(
    ("name", "is_offered"), [("helix", False), ("Neovim", False), ("Eglot", False), ("another", True)]
)
def test_an_end_that_would_take_the_place_of_the_next_one_is_not_for_all(
    name: str, is_offered: bool, tmp_path: Path
) -> None:
    items, _ = offered(name, tmp_path, "!!!GADGET_START:Read\n!!!ARG:how\nc\n!")
    assert ("!!!GADGET_END" in [each["label"] for each in items]) is is_offered
    assert any("additionalTextEdits" in each for each in items) is is_offered


@pytest.mark.parametrize(("name", "has_ranges"), [("Neovim", False), ("another", True)])
def test_neovim_asks_for_the_colours_of_whole_documents_alone(name: str, has_ranges: bool) -> None:
    with Here() as wire:
        assert wire.initialize(clientInfo={"name": name})["semanticTokensProvider"]["range"] is has_ranges
