"""Completions as a client is told of them."""

from __future__ import annotations

from pathlib import Path

from lsp.log_editor import Editor


def test_an_editor_that_sorts_completions_keeps_their_order(tmp_path: Path) -> None:
    editor = Editor(tmp_path)
    editor.open("a", "@", "stf")
    place = {"textDocument": {"uri": editor.uri("a")}, "position": {"line": 0, "character": 1}}
    told = editor.ask("textDocument/completion", place)
    told = told if isinstance(told, list) else told["items"]
    assert len(told) > 10
    assert sorted(told, key=lambda item: str(item["sortText"])) == told
