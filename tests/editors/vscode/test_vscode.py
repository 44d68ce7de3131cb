"""The extension in real VS Code: what a user sees and does."""

from __future__ import annotations

from pathlib import Path

import pytest

from editors.vscode.samples import CALLS, CHAT, NOTES, RAW, text_at
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
