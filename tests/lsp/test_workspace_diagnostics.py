"""The findings of files that are not open: fetched by `workspace/diagnostic`, or sent."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from lsp.log_editor import Editor, call

Json = Any
ON = "[diagnostics]\nworkspace = true\n"
BAD = "!!!GADGET_END\n"
"""A text with one finding."""
METHOD = "workspace/diagnostic"


def editor_of(folder: Path, *, pulls: bool = True, toml: str = ON, count: int = 0, **files: str) -> Editor:
    """Return a client with a workspace of files, by their names with `_` for `.`, and of `count` bad ones."""
    (folder / "llmblocks.toml").write_text(toml, "utf-8")
    many = {f"f{number}_gadget": BAD for number in range(count)}
    for name, text in {**files, **many}.items():
        (folder / name.replace("_", ".")).write_text(text, "utf-8")
    return Editor(folder, workspace=True, pulls=pulls)


def asked(editor: Editor, known: dict[str, str] | None = None, **tokens: str) -> Json:
    """Return the answer to a request, or None."""
    ids = [{"uri": editor.uri(name), "value": value} for name, value in (known or {}).items()]
    request_id = editor.begin(METHOD, {"previousResultIds": ids, **tokens})
    editor.wait()
    return editor.answered(request_id)


def told(editor: Editor, answer: Json) -> dict[str, Json]:
    """Return the codes of the findings of each file, or the word for one that has not changed."""
    return {
        os.path.relpath(each["uri"].removeprefix("file://"), editor.folder): [item["code"] for item in each["items"]]
        if each["kind"] == "full"
        else each["kind"]
        for each in answer["items"]
    }


def ids_of(editor: Editor, answer: Json) -> dict[str, str]:
    return {
        os.path.relpath(each["uri"].removeprefix("file://"), editor.folder): each["resultId"]
        for each in answer["items"]
    }


def test_all_files_of_the_workspace_are_reported(tmp_path: Path) -> None:
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / "0001.response").write_text(BAD, "utf-8")
    (tmp_path / "node_modules").mkdir()
    (tmp_path / "node_modules" / "a.gadget").write_text(BAD, "utf-8")
    editor = editor_of(tmp_path, a_gadget=BAD, b_stf="@user\nhi\n", c_txt=BAD, d_blocks="<think>")
    assert editor.capabilities["capabilities"]["diagnosticProvider"]["workspaceDiagnostics"] is True
    assert told(editor, asked(editor)) == {
        "a.gadget": ["G005"],
        "b.stf": [],
        "d.blocks": ["T001"],
        "logs/0001.response": ["G005"],
    }


def test_the_setting_is_off_by_default(tmp_path: Path) -> None:
    editor = editor_of(tmp_path, toml="", a_gadget=BAD)
    assert editor.capabilities["capabilities"]["diagnosticProvider"]["workspaceDiagnostics"] is False
    assert asked(editor) == {"items": []}


def test_an_open_document_counts_instead_of_its_file(tmp_path: Path) -> None:
    editor = editor_of(tmp_path, a_gadget=BAD)
    editor.open("a.gadget", "fine\n")
    (report,) = asked(editor)["items"]
    assert (report["version"], report["items"]) == (0, [])
    editor.close("a.gadget")
    (report,) = asked(editor)["items"]
    assert (report["version"], report["items"][0]["code"]) == (None, "G005")


def test_what_has_not_changed_costs_its_result_id(tmp_path: Path) -> None:
    editor = editor_of(tmp_path, a_gadget=BAD, b_gadget="fine\n")
    known = ids_of(editor, asked(editor))
    editor.write("b.gadget", BAD)
    editor.touch("b.gadget")
    assert told(editor, asked(editor, known)) == {"b.gadget": ["G005"], "a.gadget": "unchanged"}


def test_a_request_is_answered_once_there_is_news(tmp_path: Path) -> None:
    editor = editor_of(tmp_path, a_gadget=BAD)
    known = ids_of(editor, asked(editor))
    request_id = editor.begin(
        METHOD, {"previousResultIds": [{"uri": editor.uri("a.gadget"), "value": known["a.gadget"]}]}
    )
    editor.wait()
    assert editor.answered(request_id) is None
    # a change without other findings is not a news
    editor.write("a.gadget", BAD + "\n")
    editor.touch("a.gadget")
    editor.wait()
    assert editor.answered(request_id) is None
    editor.write("a.gadget", "fine\n")
    editor.touch("a.gadget")
    editor.wait()
    assert told(editor, editor.answered(request_id)) == {"a.gadget": []}


@pytest.mark.parametrize("gone", ["a.gadget", "b.gadget"])
def test_a_file_that_is_gone_has_no_findings(gone: str, tmp_path: Path) -> None:
    editor = editor_of(tmp_path, a_gadget=BAD, b_gadget=BAD)
    known = ids_of(editor, asked(editor))
    (tmp_path / gone).unlink()
    editor.touch(gone, kind=3)
    answer = asked(editor, known)
    assert told(editor, answer)[gone] == []
    assert all("resultId" in each for each in answer["items"] if each["uri"] != editor.uri(gone))


def test_a_request_that_waits_can_be_cancelled(tmp_path: Path) -> None:
    editor = editor_of(tmp_path, a_gadget=BAD)
    known = ids_of(editor, asked(editor))
    previous = [{"uri": editor.uri("a.gadget"), "value": known["a.gadget"]}]
    request_id = editor.begin(METHOD, {"previousResultIds": previous})
    editor.wait()
    editor.tell("$/cancelRequest", {"id": request_id})
    assert editor.answered(request_id)["code"] == -32800
    editor.write("a.gadget", "fine\n")
    editor.touch("a.gadget")
    editor.wait()
    assert editor.answered(request_id) is None


def test_a_second_request_ends_the_first(tmp_path: Path) -> None:
    editor = editor_of(tmp_path, a_gadget=BAD)
    first = editor.begin(METHOD, {"previousResultIds": []})
    assert told(editor, asked(editor)) == {"a.gadget": ["G005"]}
    assert editor.answered(first) == {"items": []}


def test_shutdown_answers_a_request_that_waits(tmp_path: Path) -> None:
    editor = editor_of(tmp_path, a_gadget=BAD)
    request_id = editor.begin(METHOD, {"previousResultIds": []})
    assert editor.ask("shutdown", None) is None
    assert editor.answered(request_id) == {"items": []}


@pytest.mark.parametrize("ids", [1, [1], [{"uri": 1, "value": "x"}], [{"uri": "file:///x"}]])
def test_ids_of_another_form_are_refused(ids: Json, tmp_path: Path) -> None:
    editor = editor_of(tmp_path)
    assert editor.refused(METHOD, {"previousResultIds": ids})["code"] == -32602


def test_the_logs_of_a_session_depend_on_each_other(tmp_path: Path) -> None:
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / "0001.response").write_text(call("a"), "utf-8")
    (tmp_path / "logs" / "0002.response").write_text(call("b", "a"), "utf-8")
    editor = editor_of(tmp_path)
    first = asked(editor)
    assert told(editor, first) == {"logs/0001.response": [], "logs/0002.response": []}
    editor.write("logs/0001.response", call("c"))
    editor.touch("logs/0001.response")
    assert told(editor, asked(editor, ids_of(editor, first)))["logs/0002.response"] == ["G111"]


def test_a_change_asks_a_client_to_fetch_again(tmp_path: Path) -> None:
    editor = editor_of(tmp_path, a_gadget=BAD)
    asked(editor)
    before = len(editor.requests("workspace/diagnostic/refresh"))
    editor.write("a.gadget", "fine\n")
    editor.touch("a.gadget")
    assert len(editor.requests("workspace/diagnostic/refresh")) == before + 1


def test_a_client_that_does_not_fetch_is_sent_them(tmp_path: Path) -> None:
    editor = editor_of(tmp_path, pulls=False, a_gadget=BAD, b_gadget="fine\n")
    assert editor.codes("a.gadget") == ["G005"]
    assert editor.uri("b.gadget") not in editor.told
    editor.write("b.gadget", BAD)
    editor.touch("b.gadget")
    editor.wait()
    assert editor.codes("b.gadget") == ["G005"]
    (tmp_path / "a.gadget").unlink()
    editor.touch("a.gadget", kind=3)
    editor.wait()
    assert editor.codes("a.gadget") == []
