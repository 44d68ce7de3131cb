"""The sessions of open documents, in a session of the server without its transport."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from laws.test_linear_told import steps as steps_of
from llmblocks.lsp.client.client import read_client
from llmblocks.lsp.session import agent_logs
from llmblocks.workspace import names
from llmblocks.workspace.names import StoredNames
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


def test_an_edit_of_an_earlier_response_changes_what_is_reported_of_a_later_one(editor: Editor) -> None:
    editor.write("0001.response", call("r1"))
    editor.write("0002.response", call("r2", "r1"))
    editor.open("0001.response")
    editor.open("0002.response")
    editor.wait()
    assert editor.codes("0002.response") == []
    editor.replace("0001.response", 0, 21, 23, "r3")
    assert editor.codes("0002.response") == ["G111"]
    editor.replace("0001.response", 0, 21, 23, "r1")
    assert editor.codes("0002.response") == []


def test_the_text_of_an_editor_counts_until_it_is_closed(editor: Editor) -> None:
    editor.write("0001.response", call("r1"))
    editor.write("0002.response", call("r2", "r1"))
    editor.open("0002.response")
    editor.open("0001.response", call("unsaved"))
    editor.wait()
    assert editor.codes("0002.response") == ["G111"]
    editor.touch("0001.response")
    editor.wait()
    assert editor.codes("0002.response") == ["G111"]
    editor.close("0001.response")
    editor.wait()
    assert editor.codes("0002.response") == []


def test_a_document_that_is_on_no_disk_is_one_of_its_session(editor: Editor) -> None:
    editor.open("new/0001.response", call("r1"))
    editor.open("new/0002.response", call("r2", "r1,r8"))
    editor.wait()
    assert editor.codes("new/0002.response") == ["G111"]
    editor.close("new/0001.response")
    editor.wait()
    # it is gone, so nothing is known
    assert editor.codes("new/0002.response") == []


def test_files_that_come_change_and_go_are_followed(editor: Editor) -> None:
    editor.write("0001.response", "")
    editor.write("0003.response", call("r3", "r1,r2"))
    editor.open("0003.response")
    editor.wait()
    assert editor.codes("0003.response") == []
    editor.write("0002.response", call("r2"))
    editor.touch("0002.response", kind=1)
    editor.wait()
    assert editor.codes("0003.response") == ["G111"]
    editor.write("0001.response", call("r1"))
    editor.touch("0001.response")
    editor.wait()
    assert editor.codes("0003.response") == []
    editor.write("0001.response", "")
    (editor.folder / "0002.response").unlink()
    editor.touch("0001.response")
    editor.touch("0002.response", kind=3)
    editor.wait()
    assert editor.codes("0003.response") == []
    # a sub-agent fills the number
    editor.write("0002-r1/0001.response", "")
    editor.touch("0002-r1/0001.response", kind=1)
    editor.wait()
    assert editor.codes("0003.response") == ["G111", "G111"]


def test_files_that_come_are_found_when_another_one_is_opened(editor: Editor) -> None:
    editor.write("0001.response", "")
    editor.write("0003.response", call("r3", "r2"))
    editor.open("0003.response")
    editor.wait()
    assert editor.codes("0003.response") == []
    editor.write("0002.response", "")
    editor.open("0001.response")
    editor.wait()
    assert editor.codes("0003.response") == ["G111"]


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


def test_a_file_that_is_too_large_makes_later_ones_silent(editor: Editor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(agent_logs, "MAX_LOG_BYTES", 50)
    editor.write("0001.response", call("r1"))
    editor.write("0002.response", call("r2", "r9"))
    editor.open("0002.response")
    editor.wait()
    assert editor.codes("0002.response") == []
    # one that is open is known, whatever its size
    editor.open("0001.response")
    editor.wait()
    assert editor.codes("0002.response") == ["G111"]


def test_a_folder_beyond_the_limit_is_left_out_with_a_line_in_the_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(agent_logs, "MAX_LOGS", 3)
    for folder in "ab":
        for number in (1, 2) if folder == "a" else (1, 2, 3, 4):
            file = tmp_path / folder / f"000{number}.response"
            file.parent.mkdir(exist_ok=True)
            file.write_text(call(f"r{number}", "r9"), "utf-8")
    editor = Editor(tmp_path)
    editor.open("a/0002.response")
    editor.wait()
    editor.open("b/0002.response")
    editor.wait()
    assert (editor.codes("a/0002.response"), editor.codes("b/0002.response")) == (["G111"], [])
    assert "there are more than 3 logs" in caplog.text


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


def test_settings_that_change_hold_for_files_that_are_not_open(editor: Editor) -> None:
    editor.write("0001.response", "<<Read:r1\n>>")
    editor.write("0002.response", "<<Read:r2:r1\n>>")
    editor.open("0002.response")
    editor.wait()
    markers = {"gadget": {"markers": {"start": "<<", "end": ">>", "arg": "--"}}}
    editor.tell("workspace/didChangeConfiguration", {"settings": {"llmblocks": markers}})
    editor.wait()
    assert editor.codes("0002.response") == []
    editor.replace("0002.response", 0, 10, 12, "r7")
    assert editor.codes("0002.response") == ["G111"]


def test_a_document_without_rules_about_names_counts_as_it_is_on_disk(editor: Editor) -> None:
    editor.write("0001.response", call("r1"))
    editor.write("0002.response", call("r2", "r1,r9"))
    editor.tell("workspace/didChangeConfiguration", {"settings": {"llmblocks": {"rules": {"ignore": ["G11"]}}}})
    editor.open("0001.response")
    editor.wait()
    editor.tell("workspace/didChangeConfiguration", {"settings": None})
    editor.open("0002.response")
    editor.wait()
    assert editor.codes("0002.response") == ["G111"]


def test_logs_below_a_workspace_are_found_and_forgotten_with_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reads: list[str] = []
    read = names.read_names

    def noted(file: str, *rest: Any) -> Any:
        reads.append(Path(file).relative_to(tmp_path).as_posix())
        return read(file, *rest)

    monkeypatch.setattr(names, "read_names", noted)
    for name in ("a/0001.response", "a/b/0001.response", ".llmist/logs/x/0001.response", "node_modules/0001.response"):
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(call("r1"), "utf-8")
    editor = Editor(tmp_path, workspace=True)
    for _ in range(2):
        # the second search reads nothing again
        editor.ask("workspace/symbol", {"query": "r"})
        assert sorted(reads) == [".llmist/logs/x/0001.response", "a/0001.response", "a/b/0001.response"]
    reads.clear()
    # a session is read with its first open document
    editor.open("a/0002.response", call("r2", "r9"))
    editor.wait()
    assert editor.codes("a/0002.response") == ["G111"]
    assert reads == ["a/0001.response"]
    reads.clear()
    folder = {"uri": tmp_path.as_uri(), "name": "w"}
    editor.tell("workspace/didChangeWorkspaceFolders", {"event": {"removed": [folder], "added": []}})
    editor.touch("a/b/0001.response")
    editor.wait()
    editor.ask("workspace/symbol", {"query": "r"})
    assert reads == []
    editor.tell("workspace/didChangeWorkspaceFolders", {"event": {"removed": [], "added": [folder]}})
    editor.wait()
    editor.ask("workspace/symbol", {"query": "r"})
    assert sorted(reads) == [".llmist/logs/x/0001.response", "a/0001.response", "a/b/0001.response"]


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


def test_nothing_is_read_any_more_once_the_client_has_cancelled(tmp_path: Path) -> None:
    many(tmp_path, 40)
    whole, _ = steps_after_cancelling(tmp_path, None)
    assert whole > 80
    for number in (*range(8), whole // 4, whole // 2, whole - 30, whole - 5):
        left, codes = steps_after_cancelling(tmp_path, number)
        assert left < 8, number
        assert codes in ([], ["G111"])


def steps_after_cancelling(folder: Path, number: int | None) -> tuple[int, list[str]]:
    """Count the steps after a cancellation at this point, and return the findings in the last file of a folder."""
    editor = Editor(folder, window={"workDoneProgress": True})
    editor.open("0040.response", call("r40", "r0"))
    (create,) = wait_for(editor, "window/workDoneProgress/create")
    editor.answer(create)
    for _ in range(number or 0):
        assert editor.step()
    if number is not None:
        editor.tell("window/workDoneProgress/cancel", {"token": create["params"]["token"]})
    steps = 0
    while editor.step():
        steps += 1
    return steps, editor.codes("0040.response")


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


@pytest.fixture
def steps(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """Counts the steps in which files are read."""
    steps: Counter[str] = Counter()
    read = StoredNames.read

    def counted(self: StoredNames, text: str, *rest: Any) -> Any:
        for _ in read(self, text, *rest):
            steps["step"] += 1
            yield

    monkeypatch.setattr(StoredNames, "read", counted)
    return steps


def test_a_step_reads_no_more_than_some_of_a_file(tmp_path: Path, steps: Counter[str]) -> None:
    (tmp_path / "0001.response").write_text("text without a marker\n" * 50_000, "utf-8")
    editor = Editor(tmp_path)
    editor.open("0002.response", call("r2", "r1"))
    editor.wait()
    assert steps["step"] >= 16
    assert editor.codes("0002.response") == ["G111"]


def test_the_text_of_a_file_that_is_opened_while_it_is_read_counts(tmp_path: Path, steps: Counter[str]) -> None:
    (tmp_path / "0001.response").write_text("text without a marker\n" * 50_000 + call("r1"), "utf-8")
    editor = Editor(tmp_path)
    editor.open("0002.response", call("r2", "r1"))
    while steps["step"] < 3:
        assert editor.step()
    editor.open("0001.response", call("another"))
    editor.wait()
    assert editor.codes("0002.response") == ["G111"]
    editor.close("0001.response")
    editor.wait()
    assert editor.codes("0002.response") == []


def test_a_keystroke_in_a_session_of_a_thousand_files_looks_at_no_other(tmp_path: Path) -> None:
    """Counted: the lines of Python that run."""
    costs = []
    for number in (2, 1000):
        folder = tmp_path / str(number)
        folder.mkdir()
        many(folder, number)
        editor = Editor(folder)
        editor.open("0002.response")
        editor.wait()
        assert editor.codes("0002.response") == []
        editor.replace("0002.response", 2, 0, 0, "x")
        in_a_value = steps_of(lambda editor=editor: editor.replace("0002.response", 2, 0, 0, "x"))  # type: ignore[misc]
        of_a_name = steps_of(lambda editor=editor: editor.replace("0002.response", 0, 24, 26, "zz"))  # type: ignore[misc]
        assert editor.codes("0002.response") == ["G111"]
        costs.append((in_a_value, of_a_name))
    (few, few_names), (value, names) = costs
    # tokens of a width are made once in a process
    assert value <= few
    assert names <= few_names + 50


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
