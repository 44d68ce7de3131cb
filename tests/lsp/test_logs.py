"""The sessions of open documents, in a session of the server without its transport."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from llmblocks.lsp.client.client import read_client
from lsp.log_editor import Editor, call

Json = Any


@pytest.fixture
def editor(tmp_path: Path) -> Editor:
    return Editor(tmp_path)


def test_the_folder_of_a_log_is_read_without_a_workspace(editor: Editor) -> None:
    editor.write("0001.response", call("r1"))
    editor.write("0002.response", call("r2", "r1,r9"))
    editor.open("0002.response")
    # nothing is said before the files are known
    assert editor.codes("0002.response") == []
    editor.wait()
    assert editor.codes("0002.response") == ["G111"]
    assert '"r9"' in editor.told[editor.uri("0002.response")][0]["message"]


def test_a_document_that_is_on_no_disk_is_one_of_its_session(editor: Editor) -> None:
    editor.open("new/0001.response", call("r1"))
    editor.open("new/0002.response", call("r2", "r1,r8"))
    editor.wait()
    assert editor.codes("new/0002.response") == ["G111"]
    editor.close("new/0001.response")
    editor.wait()
    # it is gone, so nothing is known
    assert editor.codes("new/0002.response") == []


def test_a_client_is_asked_to_watch_responses_and_the_requests_that_tell_results() -> None:
    watches = {"workspace": {"didChangeWatchedFiles": {"dynamicRegistration": True}}}
    (files,) = read_client({"capabilities": watches}).registrations()
    patterns = [each["globPattern"] for each in files["registerOptions"]["watchers"]]
    assert {"**/[0-9]*.response", "**/[0-9]*.request"} <= {*patterns}


def test_a_file_that_cannot_be_read_makes_later_ones_silent(editor: Editor, caplog: pytest.LogCaptureFixture) -> None:
    editor.write("0001.response", "")
    editor.write("0002.response", call("r2", "r9"))
    (editor.folder / "0001.response").write_bytes(b"\xff")
    editor.open("0002.response")
    with caplog.at_level("INFO", "llmblocks"):
        editor.wait()
    assert editor.codes("0002.response") == []
    assert "0001.response are not known: it is too large, or not in UTF-8" in caplog.text


def test_a_place_in_another_file_counts_as_the_client_counts(tmp_path: Path) -> None:
    later = "é\r\nx🎉\r" + call("r0") + "🎉 " + call("r3")
    for encoding, character in (("utf-8", 26), ("utf-16", 24), ("utf-32", 23)):
        editor = Editor(tmp_path, general={"positionEncodings": [encoding]})
        editor.write("0001.response", call("r1", "r3"))
        editor.write("0002.response", later)
        editor.open("0001.response")
        editor.wait()

        def where(editor: Editor = editor) -> Json:
            (found,) = editor.told[editor.uri("0001.response")]
            (related,) = found["relatedInformation"]
            assert related["message"] == "a later response gives this id"
            assert related["location"]["uri"] == editor.uri("0002.response")
            start, end = related["location"]["range"]["start"], related["location"]["range"]["end"]
            assert (end["line"], end["character"]) == (start["line"], start["character"] + 2)
            return start["line"], start["character"]

        assert where() == (6, character)
        # the same place in the open document, which moves with its text
        editor.open("0002.response")
        editor.wait()
        assert where() == (6, character)
        editor.replace("0002.response", 0, 0, 0, "\n\n")
        assert where() == (8, character)
        editor.replace("0002.response", 8, 0, 0, "ab")
        assert where() == (8, character + 2)
        editor.close("0002.response")
        editor.wait()
        assert where() == (6, character)


def test_a_client_that_fetches_is_asked_to_fetch_again(tmp_path: Path) -> None:
    editor = Editor(tmp_path, pulls=True)
    assert editor.capabilities["capabilities"]["diagnosticProvider"]["interFileDependencies"] is True
    editor.write("0001.response", call("r1"))
    editor.write("0002.response", call("r2", "r1,r9"))
    editor.open("0002.response")
    assert editor.pull("0002.response") == []
    editor.wait()
    assert len(editor.requests("workspace/diagnostic/refresh")) == 1
    assert editor.pull("0002.response") == ["G111"]
    editor.open("0001.response")
    editor.wait()
    assert len(editor.requests("workspace/diagnostic/refresh")) == 1
    # what waits in another document is known to an answer
    editor.replace("0001.response", 0, 21, 23, "r9")
    assert editor.pull("0002.response") == ["G111"]
    editor.replace("0001.response", 0, 21, 23, "r1")
    editor.replace("0001.response", 0, 0, 0, call("r9"))
    assert editor.pull("0002.response") == []
    editor.wait()
    assert len(editor.requests("workspace/diagnostic/refresh")) == 2


def many(folder: Path, number: int) -> None:
    for each in range(1, number + 1):
        (folder / f"{each:04}.response").write_text(call(f"r{each}", "r1" if each > 1 else ""), "utf-8")


def test_progress_is_shown_where_the_client_can_and_is_cancelled(tmp_path: Path) -> None:
    many(tmp_path, 100)
    editor = Editor(tmp_path, window={"workDoneProgress": True})
    editor.open("0100.response", call("r100", "r0"))
    assert editor.step()
    (create,) = wait_for(editor, "window/workDoneProgress/create")
    editor.answer(create)
    editor.wait()
    values = [each["params"]["value"] for each in editor.requests("$/progress")]
    assert {each["params"]["token"] for each in editor.requests("$/progress")} == {create["params"]["token"]}
    assert values[0] == {"kind": "begin", "title": "llmblocks: reading logs", "cancellable": True, "percentage": 0}
    assert values[-1] == {"kind": "end"}
    percentages = [each["percentage"] for each in values[1:-1]]
    assert percentages == sorted(set(percentages))
    assert percentages[-1] == 100
    assert editor.codes("0100.response") == ["G111"]

    editor = Editor(tmp_path, window={"workDoneProgress": True})
    editor.open("0100.response", call("r100", "r0"))
    (create,) = wait_for(editor, "window/workDoneProgress/create")
    editor.answer(create)
    editor.tell("window/workDoneProgress/cancel", {"token": "another"})
    assert editor.step()
    editor.tell("window/workDoneProgress/cancel", {"token": create["params"]["token"]})
    editor.wait()
    assert editor.requests("$/progress")[-1]["params"]["value"] == {"kind": "end"}
    # what was not read may have the id
    assert editor.codes("0100.response") == []


@pytest.mark.parametrize("answer", [{"error": {"code": -32601, "message": "no"}}, None])
def test_no_progress_is_shown_without_leave(tmp_path: Path, answer: Json) -> None:
    many(tmp_path, 100)
    editor = Editor(tmp_path, window={"workDoneProgress": answer is not None})
    editor.open("0100.response", call("r100", "r0"))
    if answer is not None:
        (create,) = wait_for(editor, "window/workDoneProgress/create")
        editor.answer(create, **answer)
    editor.wait()
    assert editor.requests("$/progress") == []
    assert editor.codes("0100.response") == ["G111"]


def wait_for(editor: Editor, method: str) -> list[Json]:
    while not editor.requests(method) and editor.step():
        pass
    return editor.requests(method)


def test_fixes_know_the_ids_of_the_other_files_of_a_session(tmp_path: Path) -> None:
    actions: Json = {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": []}}}
    editor = Editor(tmp_path, textDocument={"codeAction": actions})
    editor.write("0001.response", call("r2") + call("readme"))
    editor.write("0002.response", call("r1") + call("r1").replace("a.txt", "b.txt") + call("m1", "readne"))
    editor.write("0003.response", call("r3") + call("m2", "r2"))
    editor.open("0002.response")
    editor.wait()
    titles = []
    for each in editor.told[editor.uri("0002.response")]:
        params = {"textDocument": {"uri": editor.uri("0002.response")}, "range": each["range"]}
        found = editor.ask("textDocument/codeAction", params | {"context": {"diagnostics": [], "only": ["quickfix"]}})
        titles.append((each["code"], found[0]["title"]))
    assert titles == [("G110", "Change this id to 'r4'"), ("G111", "Depend on 'readme'")]
