"""Open documents whose reader depends on settings and on their size: both may change."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from lsp.log_editor import Editor

Json = Any
TWICE = "!!!GADGET_START:A\n!!!ARG:a\n1\n!!!ARG:a\n2\n!!!GADGET_END\n"
STRINGS: Json = {"files": {"strings": {"**": {"said": "gadget"}}}}
CODE: Json = {"files": {"code": {"**": {"SAID": "gadget"}}}}
LANGUAGE: Json = {"files": {"languages": {"**": "gadget"}}}
DOCUMENTS = [
    pytest.param("h.json", "json", json.dumps({"said": TWICE}), STRINGS, id="json"),
    pytest.param("h.jsonl", "jsonl", json.dumps({"said": TWICE}), STRINGS, id="jsonl"),
    pytest.param("h.py", "python", f'SAID = """{TWICE}"""\n', CODE, id="python"),
    pytest.param("h.txt", "plaintext", TWICE, LANGUAGE, id="plain text"),
    pytest.param("h.md", "markdown", TWICE, LANGUAGE, id="markdown"),
]


def given(editor: Editor, settings: Json) -> None:
    editor.tell("workspace/didChangeConfiguration", {"settings": {"llmblocks": settings}})


@pytest.mark.parametrize("pulls", [False, True])
@pytest.mark.parametrize(("name", "language_id", "text", "settings"), DOCUMENTS)
def test_settings_decide_at_once_how_an_open_document_is_read(
    tmp_path: Path, name: str, language_id: str, text: str, settings: Json, pulls: bool
) -> None:
    editor = Editor(tmp_path, workspace=True, pulls=pulls)
    codes = editor.pull if pulls else editor.codes
    editor.open(name, text, language_id)
    # a string that looks like ours is a hint
    unread = ["D004"] if language_id == "python" else []
    assert codes(name) == unread
    given(editor, settings)
    assert codes(name) == ["G101"]
    given(editor, {})
    assert codes(name) == unread


def shown(editor: Editor, name: str) -> list[str]:
    return [each.get("code") or each["message"][:12] for each in editor.told[editor.uri(name)]]


def test_a_document_that_shrinks_by_edits_is_analysed_again(tmp_path: Path) -> None:
    editor = Editor(tmp_path, workspace=True)
    given(editor, {"files": {"maxSizeMB": 0.001}})
    editor.open("a.gadget", TWICE + "é" * 600)
    assert shown(editor, "a.gadget") == ["not analysed"]
    editor.replace("a.gadget", 6, 0, 100, "e" * 99)
    assert shown(editor, "a.gadget") == ["not analysed"]
    editor.replace("a.gadget", 6, 0, 300, "")
    assert shown(editor, "a.gadget") == ["G101"]
    editor.replace("a.gadget", 6, 0, 0, "é" * 600)
    assert shown(editor, "a.gadget") == ["not analysed"]
    given(editor, {})
    assert shown(editor, "a.gadget") == ["G101"]


@pytest.mark.parametrize(
    ("name", "language_id", "text", "notices"),
    [
        ("a.json", "json", f'["{"x" * 2000}"]', 0),
        ("a.jsonl", "jsonl", f'["{"x" * 2000}"]\n', 0),
        ("a.py", "python", f'x = "{"x" * 2000}"\n', 0),
        ("a.py", "python", f'# llmblocks: gadget\nx = "{"x" * 2000}"\n', 1),
        ("a.txt", "plaintext", "x" * 2000, 0),
        ("a.stf", "stf", "x" * 2000, 1),
    ],
)
def test_only_a_large_document_of_ours_gets_a_notice(
    tmp_path: Path, name: str, language_id: str, text: str, notices: int
) -> None:
    editor = Editor(tmp_path, workspace=True)
    given(editor, {"files": {"maxSizeMB": 0.001}})
    editor.open(name, text, language_id)
    assert shown(editor, name) == ["not analysed"] * notices
