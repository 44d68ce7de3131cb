"""The extension in real VS Code: what a user sees and does."""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from editors.vscode.install import ROOT, Tools
from editors.vscode.remote import RemoteError
from editors.vscode.studio import Studio
from llmblocks.formats import format_for
from llmblocks.rules.check import Checker

LANGUAGES = {".gadget": "gadget", ".stf": "stf", ".blocks": "custom-blocks"}
SHOWN = ROOT / "docs" / "examples"
EXAMPLES = [path.relative_to(SHOWN) for path in sorted(SHOWN.rglob("*")) if path.suffix in LANGUAGES]

CALLS = """\
I will save both files.

!!!GADGET_START:WriteFile:save
!!!ARG:filePath
src/greet.ts
!!!ARG:content
export const greet = (name: string) => `Hello, ${name}!`;
  // indented, so that folds are not those of indentation
!!!ARG:filePath
src/again.ts
!!!ARG:tags/0
new
!!!ARG:tags/2
late
!!!GADGET_END

Done 😀 <think>enough</think>
"""
CHAT = """\
@# a chat
@system
You answer briefly.
@user name="Ada"
What does this do?
@ai
It greets.
@*/
@raw
{ role: 'tool', content: "ok" }
@end
"""
CLEAN = """\
!!!GADGET_START:Greet
!!!ARG:name
Ada
!!!GADGET_END
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two workspace folders: one with everything, one to see that it is not forgotten."""
    home = tmp_path_factory.mktemp("vscode")
    main, other = home / "main", home / "other"
    for path, text in (
        (main / "calls.gadget", CALLS),
        (main / "chat.stf", CHAT),
        (main / "clean.gadget", CLEAN),
        (main / "first.gadget", CALLS),
        (main / ".llmist" / "logs" / "brave-otter" / "0001.response", CALLS),
        (main / ".llmist" / "logs" / "brave-otter" / "0001.request", "=== USER ===\nhello\n"),
        (other / "second.gadget", CALLS),
    ):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    shutil.copytree(SHOWN, main / "examples")
    return main


@pytest.fixture(scope="module")
def studio(tools: Tools, vsix: Path, folder: Path, figures: Callable[..., None]) -> Iterator[Studio]:
    """One window for the whole module."""
    with Studio(tools, vsix, folder, folders=[folder.parent / "other"]) as studio:
        figures(
            vsix_MB=round(vsix.stat().st_size / 1e6, 1),
            activation_ms=round(studio.probe("activation")),
            first_squiggle_after_opening_ms=studio.probe("timed", file=str(folder / "first.gadget")),
            opened_to_squiggle_when_running_ms=studio.probe("timed", file=str(folder / "calls.gadget")),
        )
        yield studio


def text_at(text: str, part: str, number: int = 0) -> tuple[int, int]:
    """Line and UTF-16 column of a part of a text."""
    at = -1
    for _ in range(number + 1):
        at = text.index(part, at + 1)
    before = text[:at]
    return before.count("\n"), len(before.rpartition("\n")[2].encode("utf-16-le")) // 2


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
    studio.screenshot("calls")


def test_an_unmatched_comment_end_in_a_chat_gets_a_squiggle(studio: Studio, folder: Path) -> None:
    file = str(folder / "chat.stf")
    assert studio.probe("open", file=file)["language"] == "stf"
    [finding] = studio.probe("diagnostics", file=file, codes=["S001"])
    assert finding["text"].startswith("@*/")
    studio.browser("text", selector=".view-overlays .squiggly-error")
    studio.screenshot("chat")


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
    assert studio.probe("open", file=str(log / "0001.request"))["language"] == "gadget"


def test_every_workspace_folder_is_served(studio: Studio, folder: Path) -> None:
    assert len(studio.probe("folders")) == 2
    file = str(folder.parent / "other" / "second.gadget")
    studio.probe("open", file=file)
    studio.probe("diagnostics", file=file, codes=["G101", "G102"])


@pytest.mark.parametrize("example", EXAMPLES, ids=str)
def test_an_example_opens_in_its_language_with_what_the_rules_find(studio: Studio, folder: Path, example: Path) -> None:
    language = LANGUAGES[example.suffix]
    text = (SHOWN / example).read_bytes().decode()
    known = format_for(language)
    expected = sorted(finding.code for finding in Checker(known).all(known.open(text)))
    file = str(folder / "examples" / example)
    assert studio.probe("open", file=file)["language"] == language
    studio.probe("diagnostics", file=file, codes=expected)


def test_hovering_a_marker_explains_it(studio: Studio, folder: Path) -> None:
    file = str(folder / "calls.gadget")
    studio.probe("open", file=file)
    [text, *_] = studio.probe("hover", file=file, position=text_at(CALLS, "!!!ARG:"))
    assert "argument" in text.lower()
    studio.probe("cursor", file=file, position=text_at(CALLS, "ARG:"))
    studio.probe("command", name="editor.action.showHover")
    shown = studio.browser("text", selector=".monaco-hover:not(.hidden) .hover-contents")
    assert shown.strip()
    studio.screenshot("hover")
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
    studio.screenshot("folded")
    studio.probe("command", name="editor.unfoldAll")
    studio.probe("shown", hidden=[start + 1, False])


SCOPES = (
    ("!!!GADGET_START:", "keyword.control.start.gadget"),
    ("WriteFile", "entity.name.function.gadget"),
    ("filePath", "entity.other.attribute-name.pointer.gadget"),
    ("const", "storage.type.ts"),
    ("think", "entity.name.tag.custom-blocks"),
)


@pytest.mark.parametrize(("part", "scope"), SCOPES)
def test_a_token_has_its_scope(studio: Studio, folder: Path, part: str, scope: str) -> None:
    file = folder / "calls.gadget"
    studio.probe("open", file=str(file))
    line, col = text_at(CALLS, part)
    assert scope in studio.inspect(file, (line, col + 1))


def test_semantic_types_are_those_of_the_server(studio: Studio, folder: Path) -> None:
    file = folder / "calls.gadget"
    studio.probe("open", file=str(file))
    try:
        answer = studio.probe("semanticTokens", file=str(file), timeout=1000)
    except RemoteError:
        pytest.skip("the server offers no semantic tokens")
    types = semantic_types(answer)
    for part in ("!!!GADGET_START:", "WriteFile", "save", "filePath", "!!!ARG:"):
        place = text_at(CALLS, part)
        # a colour that a user sees: the editor names the type of just this token
        assert f"semantic token type\t{types[place]}" in studio.inspect(file, place)


def semantic_types(answer: dict[str, Any]) -> dict[tuple[int, int], str]:
    """Where each semantic token begins, and its type."""
    found, line, col = {}, 0, 0
    data = answer["data"]
    for at in range(0, len(data), 5):
        line, col = line + data[at], (0 if data[at] else col) + data[at + 1]
        found[line, col] = answer["types"][data[at + 3]]
    return found


def test_completion_offers_what_the_server_knows(studio: Studio, folder: Path) -> None:
    file = str(folder / "clean.gadget")
    studio.probe("open", file=file)
    try:
        offered = studio.probe("completions", file=file, position=text_at(CLEAN, "!!!GADGET_END"), timeout=1000)
    except RemoteError:
        pytest.skip("the server offers no completion")
    assert any("ARG" in label for label in offered)


def test_restarting_the_server_gives_another_process_and_the_same_squiggles(studio: Studio, folder: Path) -> None:
    file = str(folder / "calls.gadget")
    studio.probe("open", file=file)
    before = studio.probe("running")
    studio.probe("command", name="llmblocks.restartServer")
    after = studio.probe("running", unlike=before["pid"])
    assert not Path(f"/proc/{before['pid']}").exists()
    assert after["version"] == before["version"] != "unknown version"
    studio.probe("diagnostics", file=file, codes=["G101", "G102"])


def test_a_server_that_is_killed_comes_back(studio: Studio, folder: Path) -> None:
    file = str(folder / "calls.gadget")
    studio.probe("open", file=file)
    # a restart that was asked for forgets all deaths
    before = studio.probe("running")
    os.kill(before["pid"], signal.SIGKILL)
    studio.probe("running", unlike=before["pid"])
    studio.probe("diagnostics", file=file, codes=["G101", "G102"])


def test_the_fifth_death_stops_it_until_somebody_asks(studio: Studio, folder: Path) -> None:
    studio.probe("command", name="llmblocks.restartServer")
    studio.probe("watch")
    last = studio.probe("running")
    for _ in range(4):
        os.kill(last["pid"], signal.SIGKILL)
        last = studio.probe("running", unlike=last["pid"])
    os.kill(last["pid"], signal.SIGKILL)
    stopped = studio.probe("running", kind="stopped")
    assert "SIGKILL" in stopped["why"]
    pauses = [state["pauseMs"] for state in studio.probe("watched") if state["kind"] == "waiting"]
    assert pauses == sorted(pauses)
    assert len(set(pauses)) == 4
    assert "fifth time" in studio.browser("text", selector=".notification-toast")
    studio.screenshot("stopped")
    studio.browser("click", selector=".notification-toast .monaco-button:has-text('Try Again')")
    studio.probe("running")
    file = str(folder / "calls.gadget")
    studio.probe("open", file=file)
    studio.probe("diagnostics", file=file, codes=["G101", "G102"])


def test_the_status_bar_tells_the_version(studio: Studio, folder: Path) -> None:
    studio.probe("open", file=str(folder / "calls.gadget"))
    version = studio.probe("running")["version"]
    studio.browser("click", selector="[id='status.languageStatus']")
    text = studio.browser("text", selector=".hover-language-status")
    assert f"llmblocks {version}" in text
    assert "bundled server" in text
    studio.screenshot("status")
    studio.browser("press", key="Escape")


def test_the_log_command_shows_the_log(studio: Studio) -> None:
    studio.probe("command", name="llmblocks.showLog")
    studio.browser("text", selector=".output-view-container, .panel .output-view, [id='workbench.panel.output']")
    studio.probe("command", name="workbench.action.closePanel")


def test_an_unsaved_document_is_checked_too(studio: Studio) -> None:
    uri = studio.probe("untitled", language="gadget", text=CALLS)
    assert studio.probe("diagnostics", file=uri, codes=["G101", "G102"])
    studio.probe("command", name="workbench.action.revertAndCloseActiveEditor")
