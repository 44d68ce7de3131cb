"""Open files that another program writes: an editor reads them again, and their unfinished ends are not mistakes."""

from __future__ import annotations

from pathlib import Path

import pytest

from lsp.log_editor import Editor, call

WRONG = "!!!GADGET_START:Read:w\n!!!ARG:path\na\n!!!ARG:path\nb\n!!!GADGET_END\n"
OPEN = "!!!GADGET_START:Write:o\n!!!ARG:path\nb.t"


@pytest.fixture
def editor(tmp_path: Path) -> Editor:
    return Editor(tmp_path)


def grow(editor: Editor, name: str, before: str, after: str, *, on_disk: str | None = None) -> None:
    """Append to a file, and to the document as an editor does that reads the file again."""
    editor.write(name, on_disk if on_disk is not None else after)
    lines = before.split("\n")
    line, column = len(lines) - 1, len(lines[-1])
    editor.replace(name, line, column, column, after[len(before) :])


def told(editor: Editor, name: str) -> list[tuple[str, int]]:
    return [
        (each.get("code") or each["message"].partition("\n")[0], each["severity"])
        for each in editor.told[editor.uri(name)]
    ]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_the_end_of_a_file_that_grows_is_still_arriving(editor: Editor, end: str) -> None:
    first, second, third = (text.replace("\n", end) for text in ("é Hi.\n", WRONG + OPEN, "xt\n!!!GADGET_END\n"))
    editor.write("a.gadget", first)
    editor.open("a.gadget")
    grow(editor, "a.gadget", first, first + second)
    # what is complete is judged
    assert [each for each in told(editor, "a.gadget") if each[0] != "G117"] == [("G101", 1), ("still arriving", 4)]
    grow(editor, "a.gadget", first + second, first + second + third)
    assert "still arriving" not in dict(told(editor, "a.gadget"))
    assert "G008" not in dict(told(editor, "a.gadget"))


def test_what_somebody_edits_is_judged(editor: Editor) -> None:
    editor.write("a.gadget", "Hi.\n")
    editor.open("a.gadget")
    # typed or pasted: the file does not have it
    grow(editor, "a.gadget", "Hi.\n", "Hi.\n" + OPEN, on_disk="Hi.\n")
    assert told(editor, "a.gadget") == [("G008", 4)]
    grow(editor, "a.gadget", "Hi.\n" + OPEN, "Hi.\n" + OPEN + "xt\n")
    assert told(editor, "a.gadget") == [("still arriving", 4)]
    # one key, and it is somebody's text again
    grow(editor, "a.gadget", "Hi.\n" + OPEN + "xt\n", "Hi.\n" + OPEN + "xt\nx", on_disk="Hi.\n" + OPEN + "xt\n")
    assert told(editor, "a.gadget") == [("G008", 4)]


def test_a_file_that_is_opened_with_an_unfinished_end_is_judged(editor: Editor) -> None:
    editor.write("a.gadget", OPEN)
    editor.open("a.gadget")
    assert told(editor, "a.gadget") == [("G008", 4)]


def test_a_response_is_complete_once_the_next_request_is_there(editor: Editor) -> None:
    editor.write("0001.response", "Hi.\n")
    editor.open("0001.response")
    grow(editor, "0001.response", "Hi.\n", "Hi.\n" + OPEN)
    editor.wait()
    assert told(editor, "0001.response") == [("still arriving", 4)]
    editor.write("0002.request", "=== USER ===\nbegin\n")
    editor.touch("0002.request", kind=1)
    editor.wait()
    assert told(editor, "0001.response") == [("G008", 4)]
    grow(editor, "0001.response", "Hi.\n" + OPEN, "Hi.\n" + OPEN + "xt\n")
    assert told(editor, "0001.response") == [("G008", 4)]


def test_a_call_of_a_growing_log_is_judged_once_it_is_complete(editor: Editor) -> None:
    editor.write("0001.response", call("r1"))
    editor.open("0001.response")
    editor.wait()
    grow(editor, "0001.response", call("r1"), call("r1") + "!!!GADGET_START:Read:r1:no")
    # the rest of the id is still to come
    assert told(editor, "0001.response") == [("still arriving", 4)]
    before = call("r1") + "!!!GADGET_START:Read:r1:no"
    grow(editor, "0001.response", before, before + "ne\n!!!GADGET_END\n")
    assert told(editor, "0001.response") == [("G110", 1), ("G111", 2)]
