"""A fourth format joins by one folder and one row, and an editor gets all that the other three have."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from wire import Json, Wire, did_change, did_open, insertion

FOURTH = Path(__file__).parent / "fourth"
ROOT = Path(__file__).parents[2]
PROGRAM = (sys.executable, str(FOURTH / "server.py"))
URI = "file:///w/today.todo"
TEXT = "# Today\n- [ ] call <think>Ada</think>\n// later: -\n- [x] rest\n# Tomorrow\n- [ ] work\n"
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


def test_an_editor_has_its_answers_and_those_of_the_layer_inside() -> None:
    with Wire((*PROGRAM, "server")) as wire:
        capabilities = wire.initialize()
        document: Json = {"textDocument": {"uri": URI}}
        wire.send(did_open(URI, TEXT, "plaintext"))
        assert wire.diagnostics(URI, 0) == []

        def ask(method: str, line: int = 0, character: int = 0) -> Any:
            params = document | {"position": {"line": line, "character": character}}
            return wire.result(f"{len(wire.received)}", f"textDocument/{method}", params)

        assert ask("hover", 0, 3)["contents"]["value"] == "**List** `Today`: 1 left"
        assert "`think`: custom block" in ask("hover", 1, 13)["contents"]["value"]
        legend = capabilities["semanticTokensProvider"]["legend"]["tokenTypes"]
        roles = [legend[number] for number in ask("semanticTokens/full")["data"][3::5]]
        block = ["operator", "type", "operator", "operator", "type", "operator"]
        assert roles == ["type", "keyword", *block, "comment", "keyword", "type", "keyword"]
        command = {"command": "llmblocks.showTranscript", "arguments": [document]}
        assert json.loads(wire.result("values", "workspace/executeCommand", command)["text"]) == {"items": ITEMS}
        assert ask("foldingRange") == [{"startLine": 0, "endLine": 3}, {"startLine": 4, "endLine": 5}]
        # suggestions, but not in comments
        assert "-" in capabilities["completionProvider"]["triggerCharacters"]
        wire.send(did_change(URI, 1, insertion(6, 0, "- ["), insertion(0, 0, "first\n")))
        assert ask("foldingRange") == [{"startLine": 1, "endLine": 4}, {"startLine": 5, "endLine": 7}]
        assert [each["label"] for each in ask("completion", 7, 3)["items"]] == ["- [ ] "]
        assert ask("completion", 3, 10)["items"] == []


def run(command: str, *arguments: str, stdin: str = TEXT) -> str:
    full = [*PROGRAM, command, *arguments, "--language", "todo"]
    return subprocess.run(full, input=stdin, capture_output=True, text=True, check=True).stdout


def test_commands_read_its_values_and_events_with_those_of_the_layer_inside() -> None:
    assert json.loads(run("parse", "-")) == {"items": ITEMS}
    lines = [*map(json.loads, run("stream").splitlines())]
    assert lines[:2] == [{"event": "Title", "title": "Today"}, {"event": "Task", "done": False}]
    assert {"event": "CustomBlockDelta", "tag": "think", "delta": "Ada"} in lines
    assert lines[-1] == {"event": "TextDelta", "delta": "work\n"}
    shown = run("stream", "--output-format", "live")
    assert shown == "Today\n* call \n<think>\nAda\n</think>\n\n* rest\nTomorrow\n* work\n"
    # it says why it holds text back
    steps = [*map(json.loads, run("parse", "-", "--output-format", "events", "--chunk", "4").splitlines())]
    assert (steps[0]["held"], steps[0]["why"]) == ("# To", "the line # is not complete")
    assert steps[-1]["held"] == ""


def test_a_fix_inside_keeps_its_values() -> None:
    fixed = run("check", "-", "--fix", stdin="- [ ] <think a='1' a='1'>x</think>\n")
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
