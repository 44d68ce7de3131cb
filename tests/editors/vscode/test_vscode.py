"""The extension in real VS Code: what a user sees and does."""

from __future__ import annotations

from pathlib import Path

import pytest

from editors.vscode.samples import CALLS, CHAT, CLEAN, NOTES, RAW, text_at
from editors.vscode.studio import Studio


def test_squiggles_are_under_the_right_text_with_the_right_message(studio: Studio, folder: Path) -> None:
    file = str(folder / "calls.gadget")
    studio.probe("open", file=file)
    duplicate, gap = sorted(studio.probe("diagnostics", file=file, codes=["G101", "G102"]), key=lambda one: one["code"])
    assert duplicate["text"] == "filePath"
    assert duplicate["range"][0] == text_at(CALLS, "filePath", 1)[0]
    assert duplicate["message"].startswith("Duplicate pointer: filePath")
    assert duplicate["severity"] == "Error"
    assert duplicate["source"] == "llmblocks"
    assert [other["range"][0] for other in duplicate["related"]] == [text_at(CALLS, "filePath")[0]]
    assert gap["text"] == "2"
    assert gap["message"].startswith("Array index gap: expected 1, got 2")
    studio.browser("text", selector=".view-overlays .squiggly-error")


def test_a_duplicate_that_is_typed_appears_and_goes_when_it_is_undone(studio: Studio, folder: Path) -> None:
    file = str(folder / "clean.gadget")
    studio.probe("open", file=file)
    studio.probe("diagnostics", file=file, codes=[])
    studio.probe("cursor", file=file, position=text_at(CLEAN, "!!!GADGET_END"))
    studio.browser("type", text="!!!ARG:name\nBob\n")
    [finding] = studio.probe("diagnostics", file=file, codes=["G101"])
    assert (finding["text"], finding["range"][0]) == ("name", 3)
    while studio.probe("text", file=file) != CLEAN:
        studio.browser("press", key="Control+z")
    studio.probe("diagnostics", file=file, codes=[])


def test_logs_of_llmist_are_recognised_and_checked(studio: Studio, folder: Path) -> None:
    log = folder / ".llmist" / "logs" / "brave-otter"
    assert studio.probe("open", file=str(log / "0001.response"))["language"] == "gadget"
    studio.probe("diagnostics", file=str(log / "0001.response"), codes=["G101", "G102"])
    assert studio.probe("open", file=str(log / "0001.request"))["language"] == "request"


def test_every_workspace_folder_is_served(studio: Studio, folder: Path) -> None:
    assert len(studio.probe("folders")) == 2
    file = str(folder.parent / "other" / "second.gadget")
    studio.probe("open", file=file)
    studio.probe("diagnostics", file=file, codes=["G101", "G102"])


def test_hovering_a_marker_explains_it(studio: Studio, folder: Path) -> None:
    file = str(folder / "calls.gadget")
    studio.probe("open", file=file)
    studio.probe("cursor", file=file, position=text_at(CALLS, "ARG:"))
    studio.probe("command", name="editor.action.showHover")
    shown = studio.browser("text", selector=".monaco-hover:not(.hidden) .hover-contents")
    assert "filePath" in shown
    studio.browser("press", key="Escape")


def test_a_call_folds_to_its_header(studio: Studio, folder: Path) -> None:
    file = str(folder / "calls.gadget")
    start, end = text_at(CALLS, "!!!GADGET_START")[0], text_at(CALLS, "!!!GADGET_END")[0]
    studio.probe("open", file=file)
    # the lines are those of the call, which indentation would never give
    assert [start, end] in studio.probe("folds", file=file)
    studio.probe("cursor", file=file, position=[start, 0])
    studio.probe("command", name="editor.fold")
    shown = studio.probe("shown", hidden=[start + 1, True])
    assert all(first <= start <= last or last < start or first > start for first, last in shown)
    studio.probe("command", name="editor.unfoldAll")
    studio.probe("shown", hidden=[start + 1, False])


SCOPES = (
    ("calls.gadget", CALLS, "!!!GADGET_START:", "keyword.control.start.gadget"),
    ("calls.gadget", CALLS, "WriteFile", "entity.name.function.gadget"),
    ("calls.gadget", CALLS, "filePath", "entity.other.attribute-name.pointer.gadget"),
    ("calls.gadget", CALLS, "const", "storage.type.ts"),
    ("calls.gadget", CALLS, "think", "entity.name.tag.custom-blocks"),
    ("chat.stf", CHAT, "system", "keyword.control.message.stf"),
    ("chat.stf", CHAT, "role", "support.type.property-name.json.json5"),
    ("answer.completion", RAW, "<tool_call>", "keyword.control.delimiter.completion"),
    ("answer.completion", RAW, "name", "support.type.property-name.json.json5"),
    ("notes.md", NOTES, "Greet", "entity.name.function.gadget"),
    ("notes.md", NOTES, "emphasis", "markup.italic.markdown"),
)


@pytest.mark.parametrize(("name", "text", "part", "scope"), SCOPES, ids=[each[2] for each in SCOPES])
def test_a_token_has_its_scope(studio: Studio, folder: Path, name: str, text: str, part: str, scope: str) -> None:
    file = folder / name
    studio.probe("open", file=str(file))
    line, col = text_at(text, part)
    assert scope in studio.inspect(file, (line, col + 1))


def test_a_broken_argument_of_a_raw_completion_is_marked(studio: Studio, folder: Path) -> None:
    file = str(folder / "answer.completion")
    studio.probe("open", file=file)
    [found] = studio.probe("anyDiagnostics", file=file)
    assert (found["code"], found["range"][:2]) == ("M005", list(text_at(RAW, '"days"')))


def test_a_setting_reaches_the_server_and_leaves_again(studio: Studio, folder: Path) -> None:
    file = str(folder / "calls.gadget")
    studio.probe("open", file=file)
    studio.probe("diagnostics", file=file, codes=["G101", "G102"])
    studio.probe("configure", section="llmblocks.rules.ignore", value=["G102"])
    studio.probe("diagnostics", file=file, codes=["G101"])
    studio.probe("configure", section="llmblocks.rules.ignore", value=None)
    studio.probe("diagnostics", file=file, codes=["G101", "G102"])
