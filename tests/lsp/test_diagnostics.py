"""Diagnostics as a client gets them: their messages and tags, embedded files, and the findings of a baseline."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from llmblocks.cli.commands import main
from lsp.log_editor import TWICE, Editor
from lsp.test_workspace import asked

Json = Any
TEXT = '!!!GADGET_START:G\n!!!ARG:a_*<b>`\n1\n!!!ARG:a_*<b>`\n2\n!!!ARG:x\n\\"message\\":"a"\n!!!GADGET_END\n'
LINES = (
    "Duplicate pointer: a_*<b>`\n"
    "note: llmist rejects the whole call\n"
    "help: rename or remove one of them; first given 2 lines above"
)
MARKDOWN = "**Duplicate pointer: a\\_\\*\\<b\\>\\`**" + LINES[LINES.index("\n") :].replace("\n", "\n\n")
MARKUP: Json = {"diagnostic": {"markupMessageSupport": True}}


def told(folder: Path, features: Json, text: str) -> list[Any]:
    editor = Editor(folder, textDocument=features)
    editor.open("a.gadget", text)
    if "diagnostic" in features:
        return [*editor.of("diagnostic", "a.gadget")["items"]]
    return editor.told[editor.uri("a.gadget")]


@pytest.mark.parametrize("features", [{}, {"diagnostic": {}}, {"diagnostic": {"markupMessageSupport": "yes"}}])
def test_a_message_is_three_lines_and_links_to_its_page(features: Json, tmp_path: Path) -> None:
    (found,) = told(tmp_path, features, TEXT)
    assert (found["code"], found["message"]) == ("G101", LINES)
    assert found["codeDescription"]["href"].endswith("/docs/rules/G101.md")


def test_a_client_that_announces_markup_gets_markdown(tmp_path: Path) -> None:
    (found,) = told(tmp_path, MARKUP, TEXT)
    assert found["message"] == {"kind": "markdown", "value": MARKDOWN}
    assert found["relatedInformation"][0]["message"] == "first given here"
    # code stays code
    (found,) = told(tmp_path, MARKUP, "!!!GADGET_END\n")
    assert found["message"]["value"].startswith("**`!!!GADGET_END` outside any call**\n\nnote: ")


TAGGED = '!!!GADGET_START:G\nignored: \\"tags\\":[1], "tags":[1],\n!!!ARG:a\n1\n!!!GADGET_END\n'


@pytest.mark.parametrize("features", [{"diagnostic": {}}, {"publishDiagnostics": {}}])
def test_an_unnecessary_text_has_its_tag(features: Json, tmp_path: Path) -> None:
    assert [(each["code"], each["tags"]) for each in told(tmp_path, features, TAGGED)] == [("G011", [1])]


CHAT = "@user\n@embed type=image\n{}\n"


@pytest.mark.parametrize("pulls", [False, True])
def test_a_finding_goes_when_its_file_comes_and_returns_when_it_goes(tmp_path: Path, pulls: bool) -> None:
    editor = Editor(tmp_path, pulls=pulls)

    def codes() -> list[str]:
        editor.wait()
        return editor.pull("chat.stf") if pulls else editor.codes("chat.stf")

    editor.open("chat.stf", CHAT.format("a.png"), "stf")
    assert codes() == ["S205"]
    editor.write("a.png", "")
    editor.touch("a.png", kind=1)
    assert codes() == []
    (tmp_path / "a.png").unlink()
    editor.touch("other.png", kind=1)
    assert codes() == []
    editor.touch("a.png", kind=3)
    assert codes() == ["S205"]
    assert len(editor.requests("workspace/diagnostic/refresh")) == 2 * pulls


def test_an_edited_path_is_looked_for_at_once_and_a_saved_document_looks_again(tmp_path: Path) -> None:
    editor = Editor(tmp_path)
    editor.write("b.png", "")
    editor.open("chat.stf", CHAT.format("a.png"), "stf")
    editor.replace("chat.stf", 2, 0, 1, "b")
    assert editor.codes("chat.stf") == []
    editor.replace("chat.stf", 2, 0, 1, "sub/c")
    assert editor.codes("chat.stf") == ["S205"]
    editor.write("sub/c.png", "")
    editor.did_save("chat.stf")
    assert editor.codes("chat.stf") == []
    # a document without a folder embeds what it likes
    editor.open("untitled:chat.stf", CHAT.format("a.png"), "stf")
    assert editor.codes("untitled:chat.stf") == []


def test_a_path_is_a_link_where_its_command_is_in_the_wrong_case(tmp_path: Path) -> None:
    editor = Editor(tmp_path)
    editor.open("chat.stf", "@user\n@EMBED type=image\na.png\n", "stf")
    (link,) = editor.of("documentLink", "chat.stf")
    assert (link["range"]["start"], link["target"]) == ({"line": 2, "character": 0}, editor.uri("a.png"))


BASELINE = "llmblocks-baseline.json"
TOML = f'[rules]\nbaseline = "{BASELINE}"\n[diagnostics]\nworkspace = true\n'
_HINT, _UNNECESSARY = 4, 1


@pytest.fixture
def adopted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Editor:
    """Return a client of a project whose one finding is in its baseline."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "llmblocks.toml").write_text(TOML, "utf-8")
    (tmp_path / "a.gadget").write_bytes(TWICE.encode())
    assert main(["check", "--write-baseline", "--quiet"]) == 0
    return Editor(tmp_path, workspace=True, textDocument={"publishDiagnostics": {"tagSupport": {"valueSet": [1, 2]}}})


def greyed(items: list[Json]) -> list[bool]:
    assert not any("data" in each for each in items)
    return [each["severity"] == _HINT and each.get("tags") == [_UNNECESSARY] for each in items]


def shown(editor: Editor, name: str) -> list[bool]:
    editor.wait()
    return greyed(editor.told[editor.uri(name)])


def test_old_findings_are_greyed_out_and_new_ones_are_not(adopted: Editor) -> None:
    adopted.open("a.gadget")
    assert shown(adopted, "a.gadget") == [True]
    # a line above, then a copy, and a mistake of another kind
    adopted.replace("a.gadget", 0, 0, 0, "Text\n")
    assert shown(adopted, "a.gadget") == [True]
    adopted.replace("a.gadget", 7, 0, 0, "Text\n" + TWICE.replace("2", "3") + "!!!GADGET_END\n")
    assert shown(adopted, "a.gadget") == [True, False, False]
    assert adopted.told[adopted.uri("a.gadget")][1]["severity"] == 1


def test_a_changed_baseline_counts_at_once(adopted: Editor) -> None:
    adopted.open("a.gadget")
    assert shown(adopted, "a.gadget") == [True]
    for text, codes in ((json.dumps({"version": 1, "findings": {}}), []), ("{", ["C001"])):
        adopted.save(BASELINE, text)
        assert shown(adopted, "a.gadget") == [False]
        assert [each["code"] for each in adopted.told.get(adopted.uri("llmblocks.toml"), [])] == codes


def test_a_file_that_is_renamed_or_not_open_keeps_its_old_findings(adopted: Editor) -> None:
    [report] = asked(Editor(adopted.folder, workspace=True, pulls=True))["items"]
    assert [each["severity"] for each in report["items"]] == [_HINT]
    (adopted.folder / "a.gadget").rename(adopted.folder / "b.gadget")
    adopted.open("b.gadget")
    assert shown(adopted, "b.gadget") == [True]
