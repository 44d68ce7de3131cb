"""A fourth format joins by one folder and one row, and an editor gets all that the other three have."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from wire import Wire, did_change, did_open, insertion

SERVER = (sys.executable, str(Path(__file__).parent / "fourth" / "server.py"), "server")
URI = "file:///w/today.todo"
TEXT = "# Today\n- [ ] call <think>Ada</think>\n// later: -\n- [x] rest\n# Tomorrow\n- [ ] work\n"


class Editor:
    """One document in a server with the fourth language."""

    def __init__(self, wire: Wire) -> None:
        self.capabilities = wire.initialize()
        self._wire = wire
        self._ids = count()
        wire.send(did_open(URI, TEXT, "plaintext"))
        assert wire.diagnostics(URI, 0) == []

    def ask(self, method: str, **params: Any) -> Any:
        request_id = next(self._ids)
        return self._wire.result(request_id, f"textDocument/{method}", {"textDocument": {"uri": URI}, **params})

    def at(self, method: str, line: int, character: int) -> Any:
        return self.ask(method, position={"line": line, "character": character})

    def insert(self, line: int, character: int, text: str) -> None:
        self._wire.send(did_change(URI, 1, insertion(line, character, text)))


@pytest.fixture
def editor() -> Iterator[Editor]:
    with Wire(SERVER) as wire:
        yield Editor(wire)


def test_its_tokens_are_explained_and_those_of_the_layer_inside(editor: Editor) -> None:
    assert editor.at("hover", 0, 3)["contents"]["value"] == "**List** `Today`: 1 left"
    assert "`think`: custom block" in editor.at("hover", 1, 13)["contents"]["value"]


def test_its_lists_fold_and_move_with_an_edit(editor: Editor) -> None:
    assert editor.ask("foldingRange") == [{"startLine": 0, "endLine": 3}, {"startLine": 4, "endLine": 5}]
    editor.insert(0, 0, "first\n")
    assert editor.ask("foldingRange") == [{"startLine": 1, "endLine": 4}, {"startLine": 5, "endLine": 6}]


def test_its_suggestions_are_offered_but_not_in_its_comments(editor: Editor) -> None:
    assert "-" in editor.capabilities["completionProvider"]["triggerCharacters"]
    editor.insert(6, 0, "- [")
    assert [each["label"] for each in editor.at("completion", 6, 3)["items"]] == ["- [ ] "]
    assert editor.at("completion", 2, 10)["items"] == []


def test_its_tokens_are_coloured(editor: Editor) -> None:
    legend = editor.capabilities["semanticTokensProvider"]["legend"]["tokenTypes"]
    data = editor.ask("semanticTokens/full")["data"]
    roles = [legend[number] for number in data[3::5]]
    of_the_block = ["operator", "type", "operator", "operator", "type", "operator"]
    assert roles == ["type", "keyword", *of_the_block, "comment", "keyword", "type", "keyword"]
