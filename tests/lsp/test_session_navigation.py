"""Names across the files of a session: `$0` is the cursor, `⟦…⟧` are the places that are found, in any file."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from lsp.log_editor import Editor

Json = Any
_MARK = re.compile(r"\$0|⟦|⟧")
FILES = ("0001.response", "0002.response", "0003.response", "0004.response")
FIRST = "é🎉 !!!GADGET_START:Read:⟦one⟧\n!!!GADGET_END\n!!!GADGET_START:Read:other:⟦one⟧\n!!!GADGET_END\n"
SECOND = "!!!GADGET_START:Read:two:other,⟦o$0ne⟧\n!!!GADGET_END\n"
THIRD = "\r\nx\r!!!GADGET_START:Read:three:⟦one⟧\n!!!GADGET_END\n"
FOURTH = "!!!GADGET_START:Read:one\n!!!GADGET_END\n!!!GADGET_START:Read:four:one\n!!!GADGET_END\n"
SESSION = (FIRST, SECOND, THIRD, FOURTH)


def units(text: str, encoding: str) -> int:
    return len(text.encode(f"{encoding}-le" if encoding != "utf-8" else encoding)) // {"utf-8": 1, "utf-16": 2}.get(
        encoding, 4
    )


def place(text: str, offset: int, encoding: str = "utf-16") -> Json:
    lines = re.split(r"\r\n|\r|\n", text[:offset])
    return {"line": len(lines) - 1, "character": units(lines[-1], encoding)}


def read(marked: str, encoding: str = "utf-16") -> tuple[str, Json, list[Json]]:
    """Return the text, the cursor, and the ranges that are marked."""
    text = _MARK.sub("", marked)
    removed, cursor, begun = 0, None, {}
    found: list[Json] = []
    for mark in _MARK.finditer(marked):
        at = place(text, mark.start() - removed, encoding)
        removed += len(mark[0])
        if mark[0] == "$0":
            cursor = at
        elif mark[0] == "⟦":
            begun = at
        else:
            found.append({"start": begun, "end": at})
    return text, cursor, found


def written(folder: Path, files: tuple[str, ...] = SESSION, encoding: str = "utf-16") -> tuple[str, Json, Json]:
    """Write a session; gives the file with the cursor, its place, and the places that are marked, by file."""
    marks = {}
    at: tuple[str, Json] = "", None
    for name, marked in zip(FILES, files, strict=False):
        text, cursor, found = read(marked, encoding)
        (folder / name).write_bytes(text.encode())
        marks[name] = found
        if cursor is not None:
            at = name, cursor
    return *at, {name: found for name, found in marks.items() if found}


def ask(editor: Editor, method: str, name: str, cursor: Json, **params: Json) -> Json:
    asked = {"textDocument": {"uri": editor.uri(name)}, "position": cursor, **params}
    return editor.ask(f"textDocument/{method}", asked)


def by_file(editor: Editor, locations: Json) -> Json:
    found: dict[str, list[Json]] = {}
    for each in locations:
        found.setdefault(each["uri"].rpartition("/")[2], []).append(each["range"])
    return {name: sorted(ranges, key=lambda span: span["start"]["line"]) for name, ranges in found.items()}


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
@pytest.mark.parametrize("opened", [(), ("0001.response", "0003.response", "0004.response")])
def test_a_name_is_found_in_all_files_of_its_session(tmp_path: Path, encoding: str, opened: tuple[str, ...]) -> None:
    name, cursor, marks = written(tmp_path, encoding=encoding)
    editor = Editor(tmp_path, general={"positionEncodings": [encoding]})
    for each in (name, *opened):
        editor.open(each)
    editor.wait()
    found = ask(editor, "references", name, cursor, context={"includeDeclaration": True})
    assert by_file(editor, found) == marks
    first, *others = marks["0001.response"]
    assert by_file(editor, ask(editor, "definition", name, cursor)) == {"0001.response": [first]}
    used = ask(editor, "references", name, cursor, context={"includeDeclaration": False})
    assert by_file(editor, used) == marks | {"0001.response": others}


def test_a_later_response_that_gives_the_id_again_means_its_own(tmp_path: Path) -> None:
    written(tmp_path)
    editor = Editor(tmp_path)
    editor.open("0004.response")
    editor.wait()
    found = ask(editor, "references", "0004.response", {"line": 2, "character": 30}, context={})
    assert [*by_file(editor, found)] == ["0004.response"]


def test_the_ids_of_a_request_are_those_of_this_request_alone(tmp_path: Path) -> None:
    for name, header in (("0001.request", "Read:one"), ("0002.request", "Read:two:one")):
        (tmp_path / name).write_text(f"=== ASSISTANT ===\n!!!GADGET_START:{header}\n!!!GADGET_END\n")
    editor = Editor(tmp_path)
    editor.open("0001.request", language_id="request")
    editor.open("0002.request", language_id="request")
    editor.wait()
    cursor = {"line": 1, "character": 26}
    found = ask(editor, "references", "0002.request", cursor, context={"includeDeclaration": True})
    assert [*by_file(editor, found)] == ["0002.request"]
    assert [*renamed(editor, "0002.request", cursor, "uno")["changes"]] == [editor.uri("0002.request")]


def renamed(editor: Editor, name: str, cursor: Json, new: str) -> Json:
    return ask(editor, "rename", name, cursor, newName=new)


def test_a_rename_edits_all_files_of_the_session(tmp_path: Path) -> None:
    name, cursor, marks = written(tmp_path)
    editor = Editor(tmp_path, versions=True)
    editor.open(name)
    editor.open("0003.response")
    editor.wait()
    changes = renamed(editor, name, cursor, "uno")["documentChanges"]
    versions = {each["textDocument"]["uri"].rpartition("/")[2]: each["textDocument"]["version"] for each in changes}
    assert versions == {"0001.response": None, name: 0, "0003.response": 0}
    edits = [{"uri": each["textDocument"]["uri"], "range": edit["range"]} for each in changes for edit in each["edits"]]
    assert by_file(editor, edits) == marks
    assert {edit["newText"] for each in changes for edit in each["edits"]} == {"uno"}


def refusal(editor: Editor, name: str, cursor: Json, new: str) -> str:
    with pytest.raises(AssertionError) as error:
        renamed(editor, name, cursor, new)
    return str(error.value)


def test_a_rename_is_refused_until_all_files_have_been_read(tmp_path: Path) -> None:
    name, cursor, _ = written(tmp_path)
    editor = Editor(tmp_path)
    editor.open(name)
    assert "have not been read yet" in refusal(editor, name, cursor, "uno")
    editor.wait()
    assert renamed(editor, name, cursor, "uno")
    editor.write("0003.response", "")
    editor.touch("0003.response")
    assert "have not been read yet" in refusal(editor, name, cursor, "uno")
    editor.wait()
    assert renamed(editor, name, cursor, "uno")
    (tmp_path / "0003.response").write_bytes(b"\xff")
    editor.touch("0003.response")
    editor.wait()
    assert "`0003.response` of this session cannot be read" in refusal(editor, name, cursor, "uno")


GADGETS = json.dumps(
    [
        {"name": "é🎉"},
        {
            "name": "Read",
            "schema": {
                "type": "object",
                "properties": {
                    "path": {"type": "string"},
                    "lines": {"type": "array", "items": {"type": "object", "properties": {"at": {"type": "number"}}}},
                },
            },
        },
    ],
    ensure_ascii=False,
    indent=1,
)
CALL = "!!!GADGET_START:{0}Re{1}ad:a\n!!!ARG:pa{2}th\na\n!!!ARG:lines/0/a{3}t\n1\n!!!ARG:{4}more\n1\n!!!GADGET_END\n"


@pytest.mark.parametrize(
    ("cursor", "line"), [(1, '"name": "Read"'), (2, '"path": {'), (3, '"at": {'), (4, '"name": "Read"')]
)
@pytest.mark.parametrize("language_id", ["gadget", "stf"])
def test_the_name_of_a_gadget_and_a_parameter_lead_to_the_schema(
    tmp_path: Path, cursor: int, line: str, language_id: str
) -> None:
    (tmp_path / "gadgets.json").write_text(GADGETS, "utf-8")
    (tmp_path / "llmblocks.toml").write_text('[gadget.schemas]\n"*" = ["gadgets.json"]\n', "utf-8")
    marks = ["$0" if number == cursor else "" for number in range(5)]
    text, at, _ = read(("@ai\n" if language_id == "stf" else "") + CALL.format(*marks))
    editor = Editor(tmp_path, workspace=True)
    name = f"a.{language_id}"
    item = {"uri": editor.uri(name), "languageId": language_id, "version": 0, "text": text}
    editor.tell("textDocument/didOpen", {"textDocument": item})
    (found,) = ask(editor, "definition", name, at)
    assert found["uri"] == editor.uri("gadgets.json")
    lines = GADGETS.splitlines()
    assert line in lines[found["range"]["start"]["line"]]
    # the near miss: a value leads nowhere
    assert ask(editor, "definition", name, {"line": 2 + (language_id == "stf"), "character": 1}) == []
