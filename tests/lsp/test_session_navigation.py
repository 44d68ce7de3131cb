"""Names and calls across the files of a session: `$0` is the cursor, `⟦…⟧` are the places that are found."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from lsp.log_editor import Editor
from marked import bracketed
from oracle.places import Places

Json = Any
FILES = ("0001.response", "0002.response", "0003.response", "0004.response")
SESSION = (
    "é🎉 !!!GADGET_START:Read:⟦one⟧\n!!!GADGET_END\n!!!GADGET_START:Read:other:⟦one⟧\n!!!GADGET_END\n",
    "!!!GADGET_START:Read:two:other,⟦o$0ne⟧\n!!!GADGET_END\n",
    "\r\nx\r!!!GADGET_START:Read:three:⟦one⟧\n!!!GADGET_END\n",
    "!!!GADGET_START:Read:one\n!!!GADGET_END\n!!!GADGET_START:Read:four:one\n!!!GADGET_END\n",
)
PLAIN = tuple(re.sub(r"\$0|⟦|⟧", "", each) for each in SESSION)
NAME = "0002.response"


def written(folder: Path, encoding: Any = "utf-16") -> tuple[Json, Json]:
    """Write the session; gives the place of the cursor, and the places that are marked, by file."""
    marks, cursor = {}, None
    for name, marked in zip(FILES, SESSION, strict=True):
        text, at, found = bracketed(marked)
        (folder / name).write_bytes(text.encode())
        places = Places(text, encoding)
        marks[name] = [places.range(start, end) for start, end, _ in found]
        cursor = places.range(at, at)["start"] if "$0" in marked else cursor
    return cursor, {name: found for name, found in marks.items() if found}


def opened(folder: Path, *names: str, **more: Json) -> Editor:
    editor = Editor(folder, **more)
    for name in names:
        editor.open(name, language_id="request" if name.endswith(".request") else "gadget")
    editor.wait()
    return editor


def by_file(locations: Json) -> Json:
    found: dict[str, list[Json]] = {}
    for each in locations:
        found.setdefault(each["uri"].rpartition("/")[2], []).append(each["range"])
    return {name: sorted(ranges, key=lambda span: span["start"]["line"]) for name, ranges in found.items()}


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
@pytest.mark.parametrize("others", [(), ("0001.response", "0003.response", "0004.response")])
def test_a_name_is_found_in_all_files_of_its_session(tmp_path: Path, encoding: str, others: tuple[str, ...]) -> None:
    cursor, marks = written(tmp_path, encoding)
    editor = opened(tmp_path, NAME, *others, general={"positionEncodings": [encoding]})
    first, *uses = marks["0001.response"]
    for method, more, expected in (
        ("references", {"context": {"includeDeclaration": True}}, marks),
        ("references", {"context": {"includeDeclaration": False}}, marks | {"0001.response": uses}),
        ("definition", {}, {"0001.response": [first]}),
    ):
        assert by_file(editor.of(method, NAME, position=cursor, **more)) == expected


def test_a_later_response_that_gives_the_id_again_means_its_own(tmp_path: Path) -> None:
    written(tmp_path)
    editor = opened(tmp_path, "0004.response")
    assert [*by_file(editor.at("references", "0004.response", "four:o$0ne", PLAIN[3], context={}))] == ["0004.response"]


def test_the_ids_of_a_request_are_those_of_this_request_alone(tmp_path: Path) -> None:
    for name, header in (("0001.request", "Read:one"), ("0002.request", "Read:two:one")):
        (tmp_path / name).write_text(f"=== ASSISTANT ===\n!!!GADGET_START:{header}\n!!!GADGET_END\n")
    editor = opened(tmp_path, "0001.request", "0002.request")
    place = "\n!!!GADGET_START:Read:two:o$0ne"
    found = editor.at("references", "0002.request", place, context={"includeDeclaration": True})
    assert [*by_file(found)] == ["0002.request"]
    assert [*editor.at("rename", "0002.request", place, newName="uno")["changes"]] == [editor.uri("0002.request")]


def test_a_rename_edits_all_files_of_the_session(tmp_path: Path) -> None:
    cursor, marks = written(tmp_path)
    editor = opened(tmp_path, NAME, "0003.response", versions=True)
    changes = editor.of("rename", NAME, position=cursor, newName="uno")["documentChanges"]
    versions = {each["textDocument"]["uri"].rpartition("/")[2]: each["textDocument"]["version"] for each in changes}
    assert versions == {"0001.response": None, NAME: 0, "0003.response": 0}
    edits = [{"uri": each["textDocument"]["uri"], "range": edit["range"]} for each in changes for edit in each["edits"]]
    assert by_file(edits) == marks
    assert {edit["newText"] for each in changes for edit in each["edits"]} == {"uno"}


def test_a_rename_is_refused_until_all_files_have_been_read(tmp_path: Path) -> None:
    cursor, _ = written(tmp_path)
    editor = Editor(tmp_path)
    editor.open(NAME)
    params = {"textDocument": {"uri": editor.uri(NAME)}, "position": cursor, "newName": "uno"}
    for change in ("", "0003.response"):
        if change:
            editor.save(change, "")
        assert "have not been read yet" in editor.refused("textDocument/rename", params)["message"]
        editor.wait()
        assert editor.ask("textDocument/rename", params)
    (tmp_path / "0003.response").write_bytes(b"\xff")
    editor.touch("0003.response")
    editor.wait()
    refused = editor.refused("textDocument/rename", params)["message"]
    assert "`0003.response` of this session cannot be read" in refused


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
CALL = "!!!GADGET_START:Read:a\n!!!ARG:path\na\n!!!ARG:lines/0/at\n1\n!!!ARG:more\n1\n!!!GADGET_END\n"


@pytest.mark.parametrize(
    ("place", "line"),
    [
        *((":Re$0ad:", '"name": "Read"'), ("pa$0th", '"path": {'), ("/a$0t", '"at": {'), ("$0more", '"name": "Read"')),
        # the near miss: a value leads nowhere
        ("\na$0\n", None),
    ],
)
@pytest.mark.parametrize("language_id", ["gadget", "stf"])
def test_the_name_of_a_gadget_and_a_parameter_lead_to_the_schema(
    tmp_path: Path, place: str, line: str | None, language_id: str
) -> None:
    (tmp_path / "gadgets.json").write_text(GADGETS, "utf-8")
    (tmp_path / "llmblocks.toml").write_text('[gadget.schemas]\n"*" = ["gadgets.json"]\n', "utf-8")
    text = ("@ai\n" if language_id == "stf" else "") + CALL
    editor = Editor(tmp_path, workspace=True)
    editor.open("a", text, language_id)
    found = editor.at("definition", "a", place, text)
    assert [each["uri"] for each in found] == [editor.uri("gadgets.json")] * (line is not None)
    assert all(str(line) in GADGETS.splitlines()[each["range"]["start"]["line"]] for each in found)


def call(name: str, *needs: str) -> str:
    return f"!!!GADGET_START:G{name}:{name}:{','.join(needs)}\n!!!ARG:a\n1\n!!!GADGET_END\n"


def shown(item: Json) -> tuple[str, str, str]:
    return item["uri"].rpartition("/")[2], item["name"], item.get("detail", "")


def edges(editor: Editor, item: Json, way: str) -> list[tuple[str, str, str, int]]:
    """Return the calls on the other side, and how often their ids are written."""
    end = "from" if way == "incoming" else "to"
    found = editor.ask(f"callHierarchy/{way}Calls", {"item": item})
    return [(*shown(each[end]), len(each["fromRanges"])) for each in found]


@pytest.mark.parametrize("mark", ["G$0b:b:", "Gb:b$0:", "Gb:$0b:"])
def test_calls_of_a_document_wait_for_each_other(tmp_path: Path, mark: str) -> None:
    text = "é🎉 " + call("a") + call("b", "a", "a") + call("c", "b", "a") + call("d", "c")
    editor = Editor(tmp_path)
    editor.open("x.gadget", text)
    (item,) = editor.at("prepareCallHierarchy", "x.gadget", mark, text)
    assert shown(item) == ("x.gadget", "Gb", "b, wave 2")
    assert edges(editor, item, "incoming") == [("x.gadget", "Gc", "c, wave 3", 1)]
    assert edges(editor, item, "outgoing") == [("x.gadget", "Ga", "a, wave 1", 2)]


@pytest.mark.parametrize("marked", [call("a").replace("1\n", "1$0\n"), "$0text\n" + call("a"), call("a") + "$0"])
def test_outside_of_the_first_line_there_is_not_a_call(tmp_path: Path, marked: str) -> None:
    editor = Editor(tmp_path)
    editor.open("x.gadget", marked.replace("$0", ""))
    assert editor.at("prepareCallHierarchy", "x.gadget", marked) is None


def test_calls_wait_across_the_files_of_a_session(tmp_path: Path) -> None:
    texts = (call("a") + call("z"), call("b", "a"), call("c", "b", "a"), call("a") + call("d", "a"))
    for name, text in zip(FILES, texts, strict=True):
        (tmp_path / name).write_text(text, "utf-8")
    editor = opened(tmp_path, NAME)
    (item,) = editor.at("prepareCallHierarchy", NAME, call("$0b"))
    first, second, third = (f"000{number}.response" for number in (1, 2, 3))
    a, b, c = (first, "Ga", "a, wave 1", 1), (second, "Gb", "b, wave 1", 1), (third, "Gc", "c, wave 1", 1)
    assert (edges(editor, item, "incoming"), edges(editor, item, "outgoing")) == ([c], [a])
    # from there on, in files that are not open
    before = editor.ask("callHierarchy/outgoingCalls", {"item": item})[0]["to"]
    assert edges(editor, before, "incoming") == [b, c]
    after = editor.ask("callHierarchy/incomingCalls", {"item": item})[0]["from"]
    assert edges(editor, after, "outgoing") == [b, a]


def test_a_call_without_an_id_is_awaited_by_its_number(tmp_path: Path) -> None:
    text = "!!!GADGET_START:First\n!!!GADGET_END\n" + call("b", "gadget_1", "gone")
    editor = Editor(tmp_path)
    editor.open("x.gadget", text)
    (item,) = editor.at("prepareCallHierarchy", "x.gadget", "$0b", text)
    assert edges(editor, item, "outgoing") == [("x.gadget", "First", "wave 1", 1)]
    first = editor.ask("callHierarchy/outgoingCalls", {"item": item})[0]["to"]
    assert edges(editor, first, "outgoing") == []


def test_a_call_that_is_gone_has_no_answer(tmp_path: Path) -> None:
    editor = Editor(tmp_path)
    editor.open("x.gadget", call("a"))
    (item,) = editor.at("prepareCallHierarchy", "x.gadget", "!!!GADGET_START:$0Ga")
    editor.replace("x.gadget", 0, 0, 16, "")
    assert editor.ask("callHierarchy/incomingCalls", {"item": item}) is None
    editor.close("x.gadget")
    assert editor.ask("callHierarchy/outgoingCalls", {"item": item}) is None
