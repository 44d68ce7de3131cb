"""Formatting of documents and ranges, and what is inserted while somebody types."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from lsp.log_editor import Editor

Json = Any


def asked(editor: Editor, method: str, name: str, **more: Json) -> list[tuple[Json, str]]:
    """Return the ranges and the texts of the edits; a range on one line as its numbers."""
    found = []
    for each in editor.of(method, name, options={"tabSize": 4, "insertSpaces": True}, **more):
        start, end = each["range"]["start"], each["range"]["end"]
        assert start["line"] == end["line"]
        found.append(((start["line"], start["character"], end["character"]), each["newText"]))
    return found


def lines(first: int, last: int) -> Json:
    return {"start": {"line": first, "character": 0}, "end": {"line": last, "character": 1}}


def typed(editor: Editor, name: str, character: str, line: int, column: int) -> list[tuple[Json, str]]:
    return asked(editor, "onTypeFormatting", name, position={"line": line, "character": column}, ch=character)


def test_a_document_and_a_range_are_formatted_by_small_edits(tmp_path: Path) -> None:
    editor = Editor(tmp_path)
    told = editor.capabilities
    assert (told["documentFormattingProvider"], told["documentRangeFormattingProvider"]) == (True, True)
    editor.open("a.stf", "@user  name='\U0001f600' \nhi \n@ai \n", "stf")
    assert asked(editor, "formatting", "a.stf") == [((0, 6, 17), 'name="\U0001f600"'), ((2, 3, 4), "")]
    assert asked(editor, "rangeFormatting", "a.stf", range=lines(2, 2)) == [((2, 3, 4), "")]
    assert asked(editor, "formatting", "closed.stf") == []


def test_several_ranges_are_formatted_for_a_client_that_announces_it(tmp_path: Path) -> None:
    text = "@user  id=1 \nhi\n@ai \nho\n@user \nhu\n"
    editor = Editor(tmp_path, textDocument={"rangeFormatting": {"rangesSupport": True}})
    assert editor.capabilities["documentRangeFormattingProvider"] == {"rangesSupport": True}
    editor.open("a.stf", text, "stf")
    editor.open("a.md", f"~~~stf\n{text}~~~\n\n~~~stf\n@ai \n~~~\n", "markdown")
    first, second, third = ((0, 6, 12), "id=1"), ((2, 3, 4), ""), ((4, 5, 6), "")
    for name, ranges, expected in (
        ("a.stf", [lines(4, 4), lines(0, 0)], [first, third]),
        # ranges may touch one another, and be the same
        ("a.stf", [lines(0, 2), lines(1, 2), lines(0, 0), lines(2, 5)], [first, second, third]),
        ("a.stf", [], []),
        # texts that a document embeds: no range is in the first one's last message
        ("a.md", [lines(3, 3), lines(3, 4), lines(10, 10)], [((3, 3, 4), ""), ((10, 3, 4), "")]),
    ):
        assert asked(editor, "rangesFormatting", name, ranges=ranges) == expected


def test_what_is_begun_is_ended_while_it_is_typed(tmp_path: Path) -> None:
    editor = Editor(tmp_path)
    triggers = {"firstTriggerCharacter": ">", "moreTriggerCharacter": ["\n", "D", "d", "/"]}
    assert editor.capabilities["documentOnTypeFormattingProvider"] == triggers
    editor.open("a.stf", "@user  id=1\n\U0001f600 <think>\n", "stf")
    rows: Json = {(">", 10): [((1, 10, 10), "</think>")], ("\n", 0): [((0, 6, 7), "")], ("}", 10): [], (">", 9): []}
    for (character, column), edits in rows.items():
        assert typed(editor, "a.stf", character, 1, column) == edits


@pytest.mark.parametrize(
    ("name", "options", "keeps"),
    [("", {}, False), ("", {"keepsCaret": True}, True), ("Eglot", {}, True), ("emacs", {}, True)],
)
def test_nothing_is_inserted_at_a_caret_that_would_move_after_it(
    tmp_path: Path, name: str, options: Json, keeps: bool
) -> None:
    texts = {
        "<think>": (">", (0, 7), (0, 7), "</think>"),
        "!!!GADGET_START:A\n": ("\n", (1, 0), (1, 0), "\n!!!GADGET_END"),
        # after the line of the caret no client moves it
        "!!!GADGET_START:A\n\nrest\n": ("\n", (1, 0), (2, 0), "!!!GADGET_END\n"),
    }
    editor = Editor(tmp_path, name=name, options={"keepsCaret": False, **options})
    for text, (character, caret, place, end) in texts.items():
        editor.open("a.gadget", text)
        expected = [((*place, place[1]), end)] if keeps or place != caret else []
        assert typed(editor, "a.gadget", character, *caret) == expected
