"""Who waits for whom: `$0` is the cursor; calls are shown as the file, the gadget and the id."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from lsp.log_editor import Editor
from lsp.test_session_navigation import FILES, ask, read

Json = Any


def call(name: str, *needs: str) -> str:
    return f"!!!GADGET_START:G{name}:{name}:{','.join(needs)}\n!!!ARG:a\n1\n!!!GADGET_END\n"


def shown(item: Json) -> tuple[str, str, str]:
    return item["uri"].rpartition("/")[2], item["name"], item.get("detail", "")


def prepared(editor: Editor, name: str, marked: str) -> Json:
    _, cursor, _ = read(marked)
    return ask(editor, "prepareCallHierarchy", name, cursor)


def edges(editor: Editor, item: Json, way: str) -> list[tuple[str, str, str, int]]:
    """Return the calls on the other side, and how often their ids are written."""
    end = "from" if way == "incoming" else "to"
    found = editor.ask(f"callHierarchy/{way}Calls", {"item": item})
    return [(*shown(each[end]), len(each["fromRanges"])) for each in found]


@pytest.mark.parametrize("mark", ["G$0b:b:", "Gb:b$0:", "Gb:$0b:"])
def test_calls_of_a_document_wait_for_each_other(tmp_path: Path, mark: str) -> None:
    text = "é🎉 " + call("a") + call("b", "a", "a") + call("c", "b", "a") + call("d", "c")
    marked = text.replace("Gb:b:", mark)
    editor = Editor(tmp_path)
    editor.open("x.gadget", text)
    (item,) = prepared(editor, "x.gadget", marked)
    assert shown(item) == ("x.gadget", "Gb", "b, wave 2")
    assert edges(editor, item, "incoming") == [("x.gadget", "Gc", "c, wave 3", 1)]
    assert edges(editor, item, "outgoing") == [("x.gadget", "Ga", "a, wave 1", 2)]


@pytest.mark.parametrize("marked", [call("a").replace("1\n", "1$0\n"), "$0text\n" + call("a"), call("a") + "$0"])
def test_outside_of_the_first_line_there_is_not_a_call(tmp_path: Path, marked: str) -> None:
    editor = Editor(tmp_path)
    editor.open("x.gadget", marked.replace("$0", ""))
    assert prepared(editor, "x.gadget", marked) is None


def test_calls_wait_across_the_files_of_a_session(tmp_path: Path) -> None:
    texts = (call("a") + call("z"), call("b", "a"), call("c", "b", "a"), call("a") + call("d", "a"))
    for name, text in zip(FILES, texts, strict=True):
        (tmp_path / name).write_text(text, "utf-8")
    editor = Editor(tmp_path)
    editor.open("0002.response")
    editor.wait()
    (item,) = prepared(editor, "0002.response", call("$0b"))
    assert edges(editor, item, "incoming") == [("0003.response", "Gc", "c, wave 1", 1)]
    assert edges(editor, item, "outgoing") == [("0001.response", "Ga", "a, wave 1", 1)]
    # from there on, in files that are not open
    first = editor.ask("callHierarchy/outgoingCalls", {"item": item})[0]["to"]
    assert edges(editor, first, "incoming") == [
        ("0002.response", "Gb", "b, wave 1", 1),
        ("0003.response", "Gc", "c, wave 1", 1),
    ]
    third = editor.ask("callHierarchy/incomingCalls", {"item": item})[0]["from"]
    assert edges(editor, third, "outgoing") == [
        ("0002.response", "Gb", "b, wave 1", 1),
        ("0001.response", "Ga", "a, wave 1", 1),
    ]


def test_a_call_without_an_id_is_awaited_by_its_number(tmp_path: Path) -> None:
    marked = "!!!GADGET_START:First\n!!!GADGET_END\n" + call("$0b", "gadget_1", "gone")
    text, _, _ = read(marked)
    editor = Editor(tmp_path)
    editor.open("x.gadget", text)
    (item,) = prepared(editor, "x.gadget", marked)
    assert edges(editor, item, "outgoing") == [("x.gadget", "First", "wave 1", 1)]
    first = editor.ask("callHierarchy/outgoingCalls", {"item": item})[0]["to"]
    assert edges(editor, first, "outgoing") == []


def test_a_call_that_is_gone_has_no_answer(tmp_path: Path) -> None:
    editor = Editor(tmp_path)
    editor.open("x.gadget", call("a"))
    (item,) = prepared(editor, "x.gadget", "!!!GADGET_START:$0Ga")
    editor.replace("x.gadget", 0, 0, 16, "")
    assert editor.ask("callHierarchy/incomingCalls", {"item": item}) is None
    editor.close("x.gadget")
    assert editor.ask("callHierarchy/outgoingCalls", {"item": item}) is None
