"""A fourth format joins by one folder and one row, and an editor gets all that the other three have."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from wire import Wire, did_change, did_open, insertion

FOURTH = Path(__file__).parent / "fourth"
ROOT = Path(__file__).parents[2]
SERVER = (sys.executable, str(FOURTH / "server.py"), "server")
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

    def command(self, name: str) -> Any:
        arguments = [{"textDocument": {"uri": URI}}]
        given = {"command": f"llmblocks.{name}", "arguments": arguments}
        return self._wire.result(next(self._ids), "workspace/executeCommand", given)

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


def _run(*arguments: str, stdin: str = TEXT) -> str:
    done = subprocess.run([*SERVER[:2], *arguments], input=stdin, capture_output=True, text=True, check=True)
    return done.stdout


THINK = {"type": "block", "tag": "think", "attributes": {}, "content": "Ada", "selfClosing": False}
ITEMS = [
    {"type": "list", "title": "Today"},
    {"type": "task", "done": False},
    {"type": "text", "text": "call "},
    THINK,
    {"type": "text", "text": "\n"},
    {"type": "task", "done": True},
    {"type": "text", "text": "rest\n"},
    {"type": "list", "title": "Tomorrow"},
    {"type": "task", "done": False},
    {"type": "text", "text": "work\n"},
]


def test_its_values_are_read_with_those_of_the_layer_inside() -> None:
    assert json.loads(_run("parse", "-", "--language", "todo")) == {"items": ITEMS}


def test_its_values_are_shown_in_an_editor(editor: Editor) -> None:
    assert json.loads(editor.command("showTranscript")["text"]) == {"items": ITEMS}


def test_its_events_are_streamed() -> None:
    lines = [*map(json.loads, _run("stream", "--language", "todo").splitlines())]
    assert lines[:2] == [{"event": "Title", "title": "Today"}, {"event": "Task", "done": False}]
    assert {"event": "CustomBlockDelta", "tag": "think", "delta": "Ada"} in lines
    assert lines[-1] == {"event": "TextDelta", "delta": "work\n"}


def test_its_events_are_shown_on_a_terminal() -> None:
    shown = _run("stream", "--language", "todo", "--output-format", "live")
    assert shown == "Today\n* call \n<think>\nAda\n</think>\n\n* rest\nTomorrow\n* work\n"


def test_it_says_why_it_holds_text_back() -> None:
    steps = [
        *map(
            json.loads,
            _run("parse", "-", "--language", "todo", "--output-format", "events", "--chunk", "4").splitlines(),
        )
    ]
    assert (steps[0]["held"], steps[0]["why"]) == ("# To", "the line # is not complete")
    assert steps[-1]["held"] == ""


def test_a_fix_inside_keeps_its_values() -> None:
    fixed = _run("check", "-", "--language", "todo", "--fix", stdin="- [ ] <think a='1' a='1'>x</think>\n")
    assert fixed == "- [ ] <think a='1'>x</think>\n"


def test_what_its_files_for_editors_need_is_named() -> None:
    run = "registry.LANGUAGES = (*registry.LANGUAGES, TODO); runpy.run_module('tools.generate', run_name='__main__')"
    code = f"import runpy, sys; sys.path.append({str(FOURTH)!r}); from server import TODO, registry; {run}"
    environment = os.environ | {"PYTHONPATH": str(ROOT / "tests")}
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 1
    *needs, remedy = done.stderr.splitlines()
    assert needs[0] == "todo needs its name in TITLES of tools/generate/editors/shared.py"
    assert "todo needs editors/tree-sitter/todo/queries/highlights.scm" in needs
    assert all(each.startswith("todo needs ") for each in needs)
    assert remedy == "then run make generate"
