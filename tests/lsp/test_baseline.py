"""The findings of a baseline in an editor: greyed out, as hints."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from llmblocks.cli.commands import main
from lsp.log_editor import Editor
from lsp.test_workspace_diagnostics import asked

Json = Any
_NAME = "llmblocks-baseline.json"
_TOML = f'[rules]\nbaseline = "{_NAME}"\n'
_HINT, _UNNECESSARY = 4, 1
OLD = "!!!GADGET_START:A\n!!!ARG:a\n1\n!!!ARG:a\n2\n!!!GADGET_END\n"


def _adopted(folder: Path, monkeypatch: pytest.MonkeyPatch, toml: str = _TOML, **files: str) -> Editor:
    monkeypatch.chdir(folder)
    (folder / "llmblocks.toml").write_text(toml, "utf-8")
    for name, text in files.items():
        (folder / name.replace("_", ".")).write_bytes(text.encode())
    assert main(["check", "--write-baseline", "--quiet"]) == 0
    return Editor(folder, workspace=True, textDocument={"publishDiagnostics": {"tagSupport": {"valueSet": [1, 2]}}})


def _is_greyed(item: Json) -> bool:
    assert "data" not in item
    return bool(item["severity"] == _HINT and item.get("tags", [_UNNECESSARY]) == [_UNNECESSARY])


def _greyed(editor: Editor, name: str) -> list[bool]:
    return [_is_greyed(each) for each in editor.told[editor.uri(name)]]


def test_old_findings_are_greyed_out_and_new_ones_are_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    editor = _adopted(tmp_path, monkeypatch, a_gadget=OLD)
    editor.open("a.gadget")
    editor.wait()
    assert _greyed(editor, "a.gadget") == [True]
    assert editor.told[editor.uri("a.gadget")][0]["tags"] == [_UNNECESSARY]
    # a line above, then a copy, and a mistake of another kind
    editor.replace("a.gadget", 0, 0, 0, "Text\n")
    editor.wait()
    assert _greyed(editor, "a.gadget") == [True]
    editor.replace("a.gadget", 7, 0, 0, "Text\n" + OLD.replace("2", "3") + "!!!GADGET_END\n")
    editor.wait()
    assert _greyed(editor, "a.gadget") == [True, False, False]
    assert [each["severity"] for each in editor.told[editor.uri("a.gadget")]][1] == 1


def test_a_changed_baseline_counts_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    editor = _adopted(tmp_path, monkeypatch, a_gadget=OLD)
    editor.open("a.gadget")
    editor.wait()
    (tmp_path / _NAME).write_text(json.dumps({"version": 1, "findings": {}}), "utf-8")
    editor.touch(_NAME)
    editor.wait()
    assert _greyed(editor, "a.gadget") == [False]
    (tmp_path / _NAME).write_text("{", "utf-8")
    editor.touch(_NAME)
    editor.wait()
    assert _greyed(editor, "a.gadget") == [False]
    assert [each["code"] for each in editor.told[editor.uri("llmblocks.toml")]] == ["C001"]


def test_a_renamed_file_keeps_its_old_findings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    editor = _adopted(tmp_path, monkeypatch, a_gadget=OLD)
    (tmp_path / "a.gadget").rename(tmp_path / "b.gadget")
    editor.open("b.gadget")
    editor.wait()
    assert _greyed(editor, "b.gadget") == [True]


def test_files_that_are_not_open_are_greyed_out_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    toml = f"{_TOML}\n[diagnostics]\nworkspace = true\n"
    _adopted(tmp_path, monkeypatch, toml, a_gadget=OLD)
    editor = Editor(tmp_path, workspace=True, pulls=True)
    [report] = asked(editor)["items"]
    assert [*map(_is_greyed, report["items"])] == [True]
