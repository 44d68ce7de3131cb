"""The quick fix that leaves out a rule in a file, by the settings: the only way in files of gadget calls."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from lsp.log_editor import Editor

CALL = "!!!GADGET_START:G\n!!!ARG:a\n1\n!!!ARG:a\n2\n!!!GADGET_END\n"
TEXT_DOCUMENT: Any = {"codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["quickfix"]}}}}


def offered(editor: Editor, name: str = "x/a b.gadget") -> dict[str, Any]:
    span = {"start": {"line": 3, "character": 0}, "end": {"line": 3, "character": 9}}
    params = {"textDocument": {"uri": editor.uri(name)}, "range": span, "context": {"diagnostics": []}}
    actions = editor.ask("textDocument/codeAction", params)
    return {each["title"]: each["edit"] for each in actions if each["title"].endswith(".toml")}


def opened(folder: Path, *, workspace: bool = True, versions: bool = False) -> Editor:
    editor = Editor(folder, workspace=workspace, versions=versions, textDocument=TEXT_DOCUMENT)
    editor.write("x/a b.gadget", CALL)
    editor.open("x/a b.gadget")
    assert editor.codes("x/a b.gadget") == ["G101"]
    return editor


@pytest.mark.parametrize(("name", "before"), [("llmblocks.toml", "[stf]\n"), ("pyproject.toml", "[tool.llmblocks]\n")])
def test_it_edits_the_settings_file_and_the_finding_goes(tmp_path: Path, name: str, before: str) -> None:
    (tmp_path / name).write_text(before, "utf-8")
    editor = opened(tmp_path)
    (edit,) = offered(editor).values()
    ((uri, (change,)),) = edit["changes"].items()
    assert uri == editor.uri(name)
    assert change["range"]["start"] == change["range"]["end"] == {"line": 1, "character": 0}
    (tmp_path / name).write_text(before + change["newText"], "utf-8")
    editor.touch(name)
    assert editor.codes("x/a b.gadget") == []
    assert offered(editor) == {}


def test_a_file_is_created_where_the_client_can(tmp_path: Path) -> None:
    editor = opened(tmp_path, versions=True)
    (edit,) = offered(editor).values()
    create, change = edit["documentChanges"]
    uri = editor.uri("llmblocks.toml")
    assert create == {"kind": "create", "uri": uri, "options": {"ignoreIfExists": True}}
    assert change["textDocument"] == {"uri": uri, "version": None}
    (inserted,) = change["edits"]
    (tmp_path / "llmblocks.toml").write_text(inserted["newText"], "utf-8")
    editor.touch("llmblocks.toml", kind=1)
    assert editor.codes("x/a b.gadget") == []


@pytest.mark.parametrize(
    ("text", "workspace"), [(None, True), ("[stf]\n", False), ("no TOML", True), ("rules = {}\n", True), ("\0", True)]
)
def test_it_is_not_offered_where_it_cannot_be_made(tmp_path: Path, text: str | None, workspace: bool) -> None:
    if text is not None:
        (tmp_path / "llmblocks.toml").write_text(text, "utf-8")
    assert offered(opened(tmp_path, workspace=workspace)) == {}


def test_a_file_that_is_not_a_text_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "llmblocks.toml").write_bytes(b"\xff\xfe")
    assert offered(opened(tmp_path)) == {}


def test_it_is_in_force_at_once_in_a_settings_file_that_is_not_saved(tmp_path: Path) -> None:
    (tmp_path / "llmblocks.toml").write_text("[stf]\n", "utf-8")
    editor = opened(tmp_path)
    (edit,) = offered(editor).values()
    ((change,),) = edit["changes"].values()

    def edited(text: str) -> list[str]:
        document = {"uri": editor.uri("llmblocks.toml"), "version": 2}
        editor.tell("textDocument/didChange", {"textDocument": document, "contentChanges": [{"text": text}]})
        return editor.codes("x/a b.gadget")

    editor.open("llmblocks.toml")
    assert edited("[stf]\n" + change["newText"]) == []
    # undone, or closed without being saved, it is over
    assert edited("[stf]\n") == ["G101"]
    assert edited("[stf]\n" + change["newText"]) == []
    editor.close("llmblocks.toml")
    assert editor.codes("x/a b.gadget") == ["G101"]


def test_one_of_two_edits_is_undone(tmp_path: Path) -> None:
    (tmp_path / "llmblocks.toml").write_text("[stf]\n", "utf-8")
    editor = opened(tmp_path)
    editor.write("y.gadget", CALL)
    for name in ("y.gadget", "llmblocks.toml"):
        editor.open(name)
    texts = ["[stf]\n"]

    def edited(text: str) -> list[list[str]]:
        document = {"uri": editor.uri("llmblocks.toml"), "version": 2}
        editor.tell("textDocument/didChange", {"textDocument": document, "contentChanges": [{"text": text}]})
        return [editor.codes(name) for name in ("x/a b.gadget", "y.gadget")]

    for name, codes in (("x/a b.gadget", [[], ["G101"]]), ("y.gadget", [[], []])):
        (edit,) = offered(editor, name).values()
        ((change,),) = edit["changes"].values()
        lines, place = texts[-1].splitlines(keepends=True), change["range"]["start"]
        at = sum(map(len, lines[: place["line"]])) + place["character"]
        texts.append(texts[-1][:at] + change["newText"] + texts[-1][at:])
        assert edited(texts[-1]) == codes
    assert edited(texts[1]) == [[], ["G101"]]
    assert edited(texts[0]) == [["G101"], ["G101"]]


def test_an_unregistered_tag_is_registered(tmp_path: Path) -> None:
    (tmp_path / "llmblocks.toml").write_text("[stf]\n", "utf-8")
    editor = Editor(tmp_path, workspace=True, textDocument=TEXT_DOCUMENT)
    editor.write("a.blocks", "See <citation>x</citation>, <b> and <think>y</think>.\n")
    editor.open("a.blocks", language_id="custom-blocks")

    def titles(character: int) -> dict[str, Any]:
        place = {"line": 0, "character": character}
        params = {"textDocument": {"uri": editor.uri("a.blocks")}, "range": {"start": place, "end": place}}
        actions = editor.ask("textDocument/codeAction", params | {"context": {"diagnostics": []}})
        return {each["title"]: each["edit"] for each in actions if each["kind"] == "quickfix"}

    for character in (0, 29, 45):
        assert titles(character) == {}
    assert [*titles(17)] == ["Register <citation> in llmblocks.toml"]
    ((change,),) = titles(6)["Register <citation> in llmblocks.toml"]["changes"].values()
    (tmp_path / "llmblocks.toml").write_text("[stf]\n" + change["newText"], "utf-8")
    editor.touch("llmblocks.toml")
    assert titles(6) == {}
