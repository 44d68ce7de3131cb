"""The commands in real VS Code: values and graphs are shown beside the text."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from editors.vscode.studio import Studio
from folders import written

CALLS = (
    "!!!GADGET_START:Read:one\n!!!ARG:path\na.txt\n!!!GADGET_END\n"
    "!!!GADGET_START:Write:two:one\n!!!ARG:path\nb.txt\n!!!ARG:path\nc.txt\n!!!GADGET_END\n"
)


def opened(studio: Studio, folder: Path, line: int) -> str:
    file = studio.opened(folder / "shown.gadget", CALLS)
    studio.probe("diagnostics", file=file, codes=["G101"])
    studio.probe("cursor", file=file, position=[line, 0])
    return file


def test_values_are_opened_beside_the_text(studio: Studio, folder: Path) -> None:
    file = opened(studio, folder, 2)
    studio.probe("command", name="llmblocks.showParameters")
    assert json.loads(studio.probe("beside", language="json", part="a.txt")) == {"path": "a.txt"}
    studio.probe("command", name="llmblocks.showTranscript")
    transcript = json.loads(studio.probe("beside", language="json", part='"items"'))
    assert [each["id"] for each in transcript["items"] if each["type"] == "call"] == ["one", "two"]
    # they follow what is typed
    studio.focus(file, [2, 0])
    studio.browser("type", text="x")
    studio.probe("beside", language="json", part='"xa.txt"')
    studio.browser("press", key="Backspace")
    studio.probe("beside", language="json", part='"a.txt"')
    studio.probe("command", name="workbench.action.files.save")
    studio.probe("command", name="llmblocks.showSettings")
    # VS Code has no language for other TOML files than ours
    settings = studio.probe("beside", language="plaintext", part="diagnostics.maxPerDocument = 1000")
    assert 'gadget.markers.arg = "!!!ARG:"  # default' in settings


def test_a_graph_is_drawn_beside_the_text(studio: Studio, folder: Path) -> None:
    opened(studio, folder, 0)
    studio.probe("command", name="llmblocks.showGraph")
    studio.probe("tab", label="Graph of shown.gadget")
    drawn = studio.browser("graph")
    assert drawn["width"] > 20
    assert drawn["said"] == "2 calls, 1 runs"
    assert drawn["calls"] == ["Read one wave 1", "Write two rejected: Duplicate pointer: path"]
    studio.browser("graph", choose=1)
    studio.probe("cursorBecomes", position=[4, len("!!!GADGET_START:")])
    # it follows what is typed
    studio.browser("type", text="x")
    assert studio.browser("graph", part="xWrite two")["calls"][0] == "Read one wave 1"
    studio.browser("press", key="Backspace")
    studio.browser("graph", part="\nWrite two")
    studio.probe("command", name="workbench.action.files.save")


def test_the_title_bar_has_buttons_for_graph_values_and_session(studio: Studio, folder: Path) -> None:
    button = ".editor-group-container.active .editor-actions [aria-label^='{}']"
    opened(studio, folder, 0)
    studio.browser("click", selector=button.format("Show Graph of Calls"))
    studio.probe("tab", label="Graph of shown.gadget")
    assert studio.browser("count", selector=button.format("Show Session")) == 0
    studio.probe("closeAll")
    opened(studio, folder, 0)
    studio.browser("click", selector=button.format("Show Transcript"))
    studio.probe("beside", language="json", part='"items"')
    studio.probe("closeAll")
    studio.probe("open", file=str(folder / ".llmist" / "logs" / "brave-otter" / "0001.response"))
    studio.browser("click", selector=button.format("Show Session of This Log"))
    studio.probe("tab", label="Session brave-otter")


def test_the_graph_of_a_new_file_has_its_name_and_goes_with_it(studio: Studio) -> None:
    uri = studio.probe("untitled", language="gadget", text=CALLS)
    studio.probe("anyDiagnostics", file=uri)
    studio.probe("command", name="llmblocks.showGraph")
    label = f"Graph of {uri.removeprefix('untitled:')}"
    studio.probe("tab", label=label)
    studio.probe("command", name="workbench.action.revertAndCloseActiveEditor")
    studio.probe("noTab", label=label)


def test_a_lens_says_that_the_runtime_rejects_a_call_and_goes_to_the_problem(studio: Studio, folder: Path) -> None:
    file = opened(studio, folder, 0)
    rejected = "rejected: Duplicate pointer: path"
    assert any(title.startswith(rejected) for title in studio.probe("lenses", file=file))
    studio.browser("click", selector=f".codelens-decoration a:has-text('{rejected}')")
    studio.probe("cursorBecomes", position=[7, len("!!!ARG:")])


def test_a_lens_opens_the_values_of_its_call(studio: Studio, folder: Path) -> None:
    studio.probe("configure", section="llmblocks.lenses.parameters", value=True)
    file = opened(studio, folder, 0)
    # the lenses of the setting have replaced those from before
    assert "parameters" in studio.probe("lenses", file=file)
    # and the last of them is drawn: none moves under the click
    studio.browser("text", selector=".codelens-decoration a:has-text('parameters') >> nth=1")
    studio.browser("click", selector=".codelens-decoration a:has-text('parameters')")
    assert json.loads(studio.probe("beside", language="json", part="a.txt")) == {"path": "a.txt"}


TEMPLATES = (
    ("newGadgetFile", "gadget", "!!!GADGET_START:"),
    ("newChat", "stf", "@system\n"),
    ("newBlocksFile", "custom-blocks", "<think>"),
)


@pytest.mark.parametrize(("command", "language", "begins"), TEMPLATES)
def test_a_new_file_begins_with_a_template(studio: Studio, command: str, language: str, begins: str) -> None:
    studio.probe("command", name=f"llmblocks.{command}")
    opened = studio.probe("active")
    assert (opened["language"], opened["text"].startswith(begins)) == (language, True)


def test_the_example_has_a_mistake(studio: Studio) -> None:
    studio.probe("command", name="llmblocks.openExample")
    studio.probe("diagnostics", file=studio.probe("active")["file"], codes=["G101"])


def test_the_notice_after_a_fix_of_everything_can_undo_it(studio: Studio) -> None:
    file = studio.probe("untitled", language="stf", text="@user\nhi\n@*/\n")
    studio.probe("diagnostics", file=file, codes=["S001"])
    studio.focused()
    studio.probe("begin", name="editor.action.fixAll")
    studio.becomes(file, "@user\nhi\n")
    studio.browser("click", selector=".notification-toast:has-text('llmblocks: Fixed') .monaco-button:has-text('Undo')")
    studio.becomes(file, "@user\nhi\n@*/\n")


def test_the_session_of_a_log_is_a_page_in_the_colours_of_the_theme(studio: Studio, folder: Path) -> None:
    logs = folder / ".llmist" / "logs" / "calm-newt"
    written(logs / "0002.request", "=== USER ===\nResult (one): found\n")
    file = studio.opened(logs / "0001.response", CALLS)
    studio.probe("diagnostics", file=file, codes=["G101"])
    assert any(title == "result: 5 B, in 0002.request" for title in studio.probe("lenses", file=file))
    studio.probe("command", name="llmblocks.showSession")
    studio.probe("tab", label="Session calm-newt")
    seen = studio.browser("session")
    dark = seen.pop("colours")
    said = "Write two after one rejected: Duplicate pointer: path"
    assert seen == {"title": "calm-newt", "problem": said, "open": True}
    studio.probe("configure", section="workbench.colorTheme", value="Default Light Modern")
    light = studio.browser("session", unlike=dark)["colours"]
    # the system's scheme is the same for both
    assert all(one != other for one, other in zip(dark, light, strict=True))
    studio.probe("configure", section="workbench.colorTheme", value="Default Dark Modern")
    # once more is the same page, with what came
    (logs / "0002.response").write_text(CALLS.replace(":two:one", ":three:one"))
    studio.probe("command", name="llmblocks.showSession")
    studio.browser("session", part="0002.response")
    assert [each for each in studio.probe("tabs") if each.startswith("Session")] == ["Session calm-newt"]
